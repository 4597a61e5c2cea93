import type { Download } from 'playwright-core'

/** The text of a file that a page gave, with its byte order mark. */
export async function readDownload(download: Download): Promise<string> {
  const stream = await download.createReadStream()
  return Buffer.concat(await stream.toArray()).toString()
}
