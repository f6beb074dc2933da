-- One set of statements for SQLite and PostgreSQL: BIGINT, TEXT and DOUBLE PRECISION mean the same on both.
-- Truth values are 0 and 1, moments are milliseconds since 1970, hashes are hexadecimal text.

-- The last numbers given away. Neither database's own way of numbering is known to the other; numbers are never used again.
CREATE TABLE counters (
    name TEXT NOT NULL PRIMARY KEY,
    value BIGINT NOT NULL
);
INSERT INTO counters (name, value) VALUES ('users', 0), ('sessions', 0);

-- A deleted user stays as a row without a key: its number is still in the logs of games, its name is free.
CREATE TABLE users (
    id BIGINT NOT NULL PRIMARY KEY,
    name TEXT NOT NULL,
    name_key TEXT UNIQUE,
    kind TEXT NOT NULL,
    owner BIGINT REFERENCES users (id),
    password TEXT,
    created BIGINT NOT NULL,
    banned BIGINT
);
CREATE INDEX users_by_owner ON users (owner);

CREATE TABLE sessions (
    hash TEXT NOT NULL PRIMARY KEY,
    id BIGINT NOT NULL UNIQUE,
    user_id BIGINT NOT NULL REFERENCES users (id),
    created BIGINT NOT NULL,
    label TEXT NOT NULL
);
CREATE INDEX sessions_by_user ON sessions (user_id);

-- The logs: what is in here has happened, and everything about a table follows from it.
CREATE TABLE entries (
    table_id TEXT NOT NULL,
    seq BIGINT NOT NULL,
    at BIGINT NOT NULL,
    user_id BIGINT,
    command TEXT,
    event TEXT NOT NULL,
    PRIMARY KEY (table_id, seq)
);

-- What lobby and search need, written together with the entry that changes it.
CREATE TABLE tables (
    id TEXT NOT NULL PRIMARY KEY,
    game TEXT NOT NULL,
    options TEXT NOT NULL,
    status TEXT NOT NULL,
    public BIGINT NOT NULL,
    rated BIGINT NOT NULL,
    clock TEXT NOT NULL,
    created BIGINT NOT NULL,
    changed BIGINT NOT NULL,
    winners TEXT
);
CREATE INDEX tables_by_change ON tables (changed, id);
CREATE INDEX tables_by_status ON tables (status, changed, id);

-- A seat without a name is open.
CREATE TABLE seats (
    table_id TEXT NOT NULL,
    seat BIGINT NOT NULL,
    user_id BIGINT,
    name TEXT,
    result TEXT,
    PRIMARY KEY (table_id, seat)
);
CREATE INDEX seats_by_user ON seats (user_id, table_id);

CREATE TABLE ratings (
    user_id BIGINT NOT NULL REFERENCES users (id),
    game TEXT NOT NULL,
    class TEXT NOT NULL,
    value DOUBLE PRECISION NOT NULL,
    deviation DOUBLE PRECISION NOT NULL,
    volatility DOUBLE PRECISION NOT NULL,
    games BIGINT NOT NULL,
    PRIMARY KEY (user_id, game, class)
);
CREATE INDEX ratings_by_value ON ratings (game, class, value);

-- The tables whose result has been counted.
CREATE TABLE rated (
    table_id TEXT NOT NULL PRIMARY KEY
);

CREATE TABLE remarks (
    table_id TEXT NOT NULL,
    number BIGINT NOT NULL,
    user_id BIGINT NOT NULL,
    name TEXT NOT NULL,
    at BIGINT NOT NULL,
    words TEXT NOT NULL,
    PRIMARY KEY (table_id, number)
);

CREATE TABLE mutes (
    user_id BIGINT NOT NULL REFERENCES users (id),
    other_id BIGINT NOT NULL REFERENCES users (id),
    PRIMARY KEY (user_id, other_id)
);

CREATE TABLE leases (
    name TEXT NOT NULL PRIMARY KEY,
    holder TEXT NOT NULL,
    expires BIGINT NOT NULL
);
