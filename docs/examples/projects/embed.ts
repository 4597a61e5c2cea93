// A portal's page with a device in it. The key stays on your server: a browser gets an address for one use only.
//
// BUSBAR_KEY=… BUSBAR_ACCOUNT=… BUSBAR_MACHINE=… node embed.ts
import { createServer } from 'node:http'

const address = process.env.BUSBAR_ADDRESS ?? 'https://cloud.example.com'

/** The address of a visit of the named member, for one use within 60 seconds. */
async function askForVisit(account: string, machineCode: string): Promise<string> {
  const privateKey = process.env.BUSBAR_KEY ?? ''
  const response = await fetch(`${address}/api/project/getProjectMachineVisitUrl`, {
    method: 'POST',
    body: new URLSearchParams({ privateKey, account, machineCode, platform: 'portal' }),
  })
  const { hwdata, error } = (await response.json()) as {
    hwdata?: { url: string }
    error?: { message: string }
  }
  if (!hwdata) throw new Error(error?.message)
  return hwdata.url
}

// Behind your own sign-in and https: browsers show the frame only in a page that came by https.
const server = createServer(async (_request, response) => {
  try {
    const url = await askForVisit(process.env.BUSBAR_ACCOUNT ?? '', process.env.BUSBAR_MACHINE ?? '')
    response.setHeader('content-type', 'text/html; charset=utf-8')
    response.end(`<!doctype html><iframe src="${url}" allow="fullscreen" width="1024" height="640"></iframe>`)
  } catch (error) {
    response.writeHead(502).end(String(error))
  }
})
server.listen(Number(process.env.PORT ?? 8000), '127.0.0.1')
