-- Evidence notes how much of the past had been told when it was made. Comparing moments cannot say that: its own is of the
-- cluster's clock, and that of the last fold moves on without a new picture. Null: nothing was told, or nobody noted it; where
-- something was told it is then made once more.
alter table recommendation_evidence add column past_told_at timestamptz;
