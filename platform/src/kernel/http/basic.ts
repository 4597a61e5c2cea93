/** A name and a secret by Basic authorization. */
export interface Basic {
  readonly name: string
  readonly secret: Buffer
}

/** The name and the secret of a Basic authorization header (RFC 7617); undefined for any other header. */
export function parseBasic(header: string | undefined): Basic | undefined {
  const encoded = /^Basic ([A-Za-z0-9+/=]{1,4096})$/i.exec(header ?? '')?.[1]
  if (!encoded) return undefined
  const bytes = Buffer.from(encoded, 'base64')
  const colon = bytes.indexOf(0x3a)
  return colon < 0 ? undefined : { name: bytes.toString('utf8', 0, colon), secret: bytes.subarray(colon + 1) }
}
