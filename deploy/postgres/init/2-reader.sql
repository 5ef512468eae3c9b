-- The role that birdcall uses: it can read the tables, and nothing else. psql
-- takes the password from the environment.
\getenv password READER_PASSWORD
CREATE ROLE reader LOGIN PASSWORD :'password';
GRANT USAGE ON SCHEMA shop TO reader;
GRANT SELECT ON ALL TABLES IN SCHEMA shop TO reader;
-- Tables that are made later, by the role that runs this:
ALTER DEFAULT PRIVILEGES IN SCHEMA shop GRANT SELECT ON TABLES TO reader;
