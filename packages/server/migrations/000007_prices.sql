-- Prices that change: price books, price overrides, and the stored hours that need new prices.

-- Price books of releases are stored too, so that hours keep their prices when a later release has another price book.
create table price_book (
  version text primary key,
  as_of date not null,
  origin text not null check (origin in ('release', 'loaded')),
  loaded_at timestamptz not null,
  -- a full hour; earlier hours keep the earlier price book
  effective_from timestamptz not null,
  bytes bytea not null
);
comment on table price_book is 'reference: every price book that was in use, as received';

create table price_override (
  override_id text primary key,
  -- of two equal overrides the newest applies, even if both were created in the same millisecond
  position bigint generated always as identity unique,
  kind text not null check (kind in ('node_price', 'discount', 'custom_rates')),
  -- null: every cluster
  cluster_id text references cluster (cluster_id) on delete cascade,
  -- null: any
  provider text,
  region text,
  instance_type text,
  capacity_type text check (capacity_type in ('on-demand', 'spot')),
  os text check (os in ('linux', 'windows')),
  usd_per_hour numeric,
  percent numeric,
  usd_per_vcpu_month numeric,
  usd_per_gib_month numeric,
  usd_per_gpu_month numeric,
  usd_per_storage_gib_month numeric,
  effective_from timestamptz not null,
  -- applies to the hours before; not later than effective_from: it never applied
  effective_until timestamptz,
  note text,
  created_at timestamptz not null
);
create index price_override_cluster on price_override (cluster_id);
comment on table price_override is 'reference: prices, discounts and rates that a user set, and when they apply';

create table node_class (
  cluster_id text not null,
  class_key text not null,
  -- number of current nodes, and their rate
  nodes integer not null,
  rate_id bigint not null,
  last_seen_at timestamptz not null,
  primary key (cluster_id, class_key)
);
comment on table node_class is 'distributed: the classes of nodes that a cluster has or had';

-- Hours are written with the rate of their hour. A price for hours that are already written adds a row here, in the
-- transaction of the price; a job deletes the row when these hours have the new price.
create table repricing (
  cluster_id text primary key,
  from_hour timestamptz not null
);
comment on table repricing is 'distributed: clusters with stored hours that may have outdated prices, from an hour on';
