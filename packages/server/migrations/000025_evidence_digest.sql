-- The few numbers of the evidence that fit into a table. Decompressing hundreds of large documents took longer than all other
-- work of a response with manifests. Null, or another time than the evidence: an older version wrote the row, and the evidence is
-- read instead.
alter table recommendation_evidence add column digest jsonb;
