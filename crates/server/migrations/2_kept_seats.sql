-- For whom an open seat is kept: whoever comes back finds the tables that wait.
ALTER TABLE seats ADD COLUMN kept_for BIGINT;
CREATE INDEX seats_by_kept ON seats (kept_for, table_id);
