-- Why each node is still there, by the newest analysis of its cluster: the one thing that keeps it. Computed anew each time,
-- so it is kept apart from what is known about nodes themselves.

create table node_verdict (
  cluster_id text not null,
  node_uid text not null,
  verdict jsonb not null,
  analysed_at timestamptz not null,
  primary key (cluster_id, node_uid)
);
comment on table node_verdict is 'distributed: the one thing that keeps a node, and what leaves the bill with it';
