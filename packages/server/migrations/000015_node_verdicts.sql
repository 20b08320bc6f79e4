-- Why each node remains, by the newest analysis of its cluster: its blocker. Each analysis computes it again, so it is stored
-- separately from the facts of nodes.

create table node_verdict (
  cluster_id text not null,
  node_uid text not null,
  verdict jsonb not null,
  analysed_at timestamptz not null,
  primary key (cluster_id, node_uid)
);
comment on table node_verdict is 'distributed: the blocker of each node, and the savings if it is removed';
