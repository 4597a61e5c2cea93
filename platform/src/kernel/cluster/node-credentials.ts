/** PEM texts by which nodes know each other: each has a certificate of one authority, and believes no other. */
export interface NodeCredentials {
  readonly ca: string
  readonly cert: string
  readonly key: string
}
