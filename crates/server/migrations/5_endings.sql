-- In which order games ended: the number of a rated game that is over, given to it before it is counted. What was counted before
-- there were numbers has none.
ALTER TABLE tables ADD COLUMN ended BIGINT;
ALTER TABLE tables ADD COLUMN counted BIGINT NOT NULL DEFAULT 0;
UPDATE tables SET counted = 1 WHERE id IN (SELECT table_id FROM rated);
CREATE INDEX tables_by_ending ON tables (rated, status, counted, ended);
INSERT INTO counters (name, value) VALUES ('endings', 0);

-- Who played a game that was counted, and when it ended. One who was deleted by then has played as a newcomer.
CREATE TABLE rated_players (
    table_id TEXT NOT NULL,
    user_id BIGINT NOT NULL,
    game TEXT NOT NULL,
    class TEXT NOT NULL,
    at BIGINT NOT NULL,
    gone BIGINT NOT NULL,
    PRIMARY KEY (table_id, user_id)
);
CREATE INDEX rated_players_by_user ON rated_players (user_id, game, class, at);

-- The ratings from which the games with numbers are counted.
CREATE TABLE base_ratings (
    user_id BIGINT NOT NULL,
    game TEXT NOT NULL,
    class TEXT NOT NULL,
    value DOUBLE PRECISION NOT NULL,
    deviation DOUBLE PRECISION NOT NULL,
    volatility DOUBLE PRECISION NOT NULL,
    games BIGINT NOT NULL,
    PRIMARY KEY (user_id, game, class)
);
INSERT INTO base_ratings (user_id, game, class, value, deviation, volatility, games)
    SELECT user_id, game, class, value, deviation, volatility, games FROM ratings;
