import type { OidcFailure } from '@plimsoll/contract'

/** A sign-in with the identity provider that ends on the sign-in page with this reason. */
export class OidcError extends Error {
  readonly failure: OidcFailure

  constructor(failure: OidcFailure) {
    super(failure)
    this.failure = failure
  }
}
