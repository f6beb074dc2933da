-- Who has set up a table: tables hosted but not joined count against the limit, too.
ALTER TABLE tables ADD COLUMN host BIGINT;
UPDATE tables SET host = (SELECT e.user_id FROM entries e WHERE e.table_id = tables.id AND e.seq = 0);
CREATE INDEX tables_by_host ON tables (host, status);

-- What look-alike names have in common (the skeleton of UTS 39). Names that looked alike before this column keep it empty.
ALTER TABLE users ADD COLUMN look TEXT;
CREATE UNIQUE INDEX users_by_look ON users (look);
-- Expired guests and sessions are found by their age.
CREATE INDEX users_by_age ON users (kind, created);
CREATE INDEX sessions_by_age ON sessions (created);

-- Whether a spectator said it while the game was on: then those who play do not read it before the end.
ALTER TABLE remarks ADD COLUMN spectator BIGINT;
CREATE INDEX remarks_by_user ON remarks (user_id);

-- Who does not want to play with whom.
CREATE TABLE blocks (
    user_id BIGINT NOT NULL REFERENCES users (id),
    other_id BIGINT NOT NULL REFERENCES users (id),
    PRIMARY KEY (user_id, other_id)
);
CREATE INDEX blocks_by_other ON blocks (other_id);
