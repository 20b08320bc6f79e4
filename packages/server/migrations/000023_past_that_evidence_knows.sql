-- The time of the last received history when the evidence was written. Other times cannot replace it: the time of the evidence is
-- by the clock of the cluster, and the time of the last fold also changes without a new snapshot. Null: no history, or not
-- recorded; if history was received, the evidence is then written again.
alter table recommendation_evidence add column past_told_at timestamptz;
