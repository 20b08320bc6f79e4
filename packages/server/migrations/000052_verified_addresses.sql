-- Whether the identity provider has verified the e-mail address of the user. A user with an unverified address may have the address of another
-- person, so no other account is connected to the user by the address. Each sign-in writes the value.
alter table sso_identity add column is_email_verified boolean not null default false;
