-- Moments that processes leave for each other and for those who come later: `duty`, when somebody last looked after the clocks.
-- `tried` is counted up to find out whether anything can be written.
CREATE TABLE moments (
    name TEXT NOT NULL PRIMARY KEY,
    at BIGINT NOT NULL
);
INSERT INTO moments (name, at) VALUES ('tried', 0);
