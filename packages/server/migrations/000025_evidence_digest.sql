-- The few numbers of the evidence that fit into a table. Unpacking hundreds of large documents for them took longer than all the
-- rest of an answer with manifests. Null, or of another moment than the evidence: an older version wrote that, and it is looked
-- at instead.
alter table recommendation_evidence add column digest jsonb;
