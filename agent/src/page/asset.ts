import { createHash } from 'node:crypto'

export interface Asset {
  type: string
  text: string
  etag: string
}

const types = {
  html: 'text/html; charset=utf-8',
  css: 'text/css; charset=utf-8',
  script: 'text/javascript; charset=utf-8',
} as const

/** A file of the page, with a name that depends on its content. */
export function createAsset(kind: keyof typeof types, text: string): Asset {
  const hash = createHash('sha256').update(text).digest('base64url').slice(0, 22)
  return { type: types[kind], text, etag: `"${hash}"` }
}
