-- What engines make of finished games. An analysis without a result is under way; when nothing was heard of it for long, it
-- is begun again.
CREATE TABLE analyses (
    table_id TEXT NOT NULL PRIMARY KEY,
    heard BIGINT NOT NULL,
    done BIGINT NOT NULL,
    total BIGINT NOT NULL,
    result TEXT
);
