-- Prices that change: the books there were, what people say about prices, and which stored hours have to follow.

-- The book of a release is here too, so that hours keep their prices when a later release brings another.
create table price_book (
  version text primary key,
  as_of date not null,
  origin text not null check (origin in ('release', 'loaded')),
  loaded_at timestamptz not null,
  -- a full hour; hours before it keep the book before
  effective_from timestamptz not null,
  bytes bytea not null
);
comment on table price_book is 'reference: every price book that was ever in use, as it came';

create table price_override (
  override_id text primary key,
  -- of two that are alike, the one that was made last counts, be it in the same millisecond
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
  -- holds for the hours before; not after effective_from: it never held
  effective_until timestamptz,
  note text,
  created_at timestamptz not null
);
create index price_override_cluster on price_override (cluster_id);
comment on table price_override is 'reference: prices, discounts and rates that somebody set, and from when to when they hold';

create table node_class (
  cluster_id text not null,
  class_key text not null,
  -- how many there are now, and what each costs
  nodes integer not null,
  rate_id bigint not null,
  last_seen_at timestamptz not null,
  primary key (cluster_id, class_key)
);
comment on table node_class is 'distributed: the classes of nodes that a cluster has or had';

-- Hours are written at the rate of their hour. A price that is set for hours that are written already leaves a row here, in
-- its own transaction; a job takes it away when those hours have followed.
create table repricing (
  cluster_id text primary key,
  from_hour timestamptz not null
);
comment on table repricing is 'distributed: clusters whose stored hours, from one on, may stand at prices that no longer hold';
