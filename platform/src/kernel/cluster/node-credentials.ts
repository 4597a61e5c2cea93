/** PEM texts that nodes authenticate each other with: each has a certificate of one authority, and accepts no other. */
export interface NodeCredentials {
  readonly ca: string
  readonly cert: string
  readonly key: string
}
