-- `moderator`, or nothing.
ALTER TABLE users ADD COLUMN role TEXT;
-- Until when a moderator has silenced the user.
ALTER TABLE users ADD COLUMN silenced BIGINT;
CREATE INDEX users_by_role ON users (role);

-- What people report about each other. A report is open until somebody has closed it.
CREATE TABLE reports (
    id BIGINT NOT NULL PRIMARY KEY,
    at BIGINT NOT NULL,
    reporter BIGINT NOT NULL,
    about BIGINT NOT NULL,
    table_id TEXT,
    reason TEXT NOT NULL,
    words TEXT NOT NULL,
    closed BIGINT,
    closed_by BIGINT
);
CREATE INDEX reports_by_state ON reports (closed, id);
CREATE INDEX reports_by_reporter ON reports (reporter, at);

-- What moderators did. Without a moderator it was done on the command line.
CREATE TABLE deeds (
    id BIGINT NOT NULL PRIMARY KEY,
    at BIGINT NOT NULL,
    moderator BIGINT,
    action TEXT NOT NULL,
    about BIGINT,
    table_id TEXT,
    words TEXT NOT NULL
);

INSERT INTO counters (name, value) VALUES ('reports', 0), ('deeds', 0);
