import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { useSite } from '@busbar/testkit/test-site.ts'
import { expect, test } from 'vitest'

const site = useSite()

test.each([
  ['GET', '/api/v1/versions'],
  ['POST', '/api/v1/visits/tcp'],
  ['GET', '/nowhere'],
])('%s %s of a caller who is gone is neither answered nor a failure', async (method, url) => {
  // A connection that was reset has no address any more.
  const request = Object.assign(new IncomingMessage(new Socket()), { method, url })
  const response = new ServerResponse(request)
  site.platform.app.routing(request, response)
  await expect.poll(() => request.destroyed, { timeout: 10_000, interval: 10 }).toBe(true)
  await sleep(50)
  expect(response.headersSent).toBe(false)
})
