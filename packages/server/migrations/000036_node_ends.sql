-- The page Savings reads the nodes that ended since a promise. The table keeps all nodes that were ever seen.
create index node_ended_at on node (cluster_id, ended_at);
