-- A schema for the database shop of questions.jsonl.
CREATE SCHEMA shop;

CREATE TYPE shop.state AS ENUM ('open', 'paid', 'sent');

CREATE TABLE shop.customer (
    id integer PRIMARY KEY,
    name text NOT NULL,
    city text
);

CREATE TABLE shop.orders (
    id integer PRIMARY KEY,
    customer_id integer NOT NULL REFERENCES shop.customer,
    ordered_at timestamptz NOT NULL,
    total numeric(10, 2) NOT NULL,
    state shop.state NOT NULL
);

COMMENT ON COLUMN shop.orders.total IS 'what the customer pays, in euros';

INSERT INTO shop.customer VALUES (1, 'Ada', 'Cork'), (2, 'Ben', 'Galway'), (3, 'Cleo', NULL);

INSERT INTO shop.orders VALUES
    (1, 1, '2024-03-01 09:30+00', 12.50, 'sent'),
    (2, 1, '2024-03-05 17:00+00', 8.00, 'paid'),
    (3, 2, '2024-03-09 12:15+00', 99.90, 'open');
