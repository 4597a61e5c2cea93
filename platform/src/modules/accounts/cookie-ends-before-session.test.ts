import { accounts } from '@busbar/contract'
import { createUser, startTestPlatform, type TestPlatform } from '@busbar/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'

let site: TestPlatform
beforeAll(async () => {
  site = await startTestPlatform()
})
afterAll(() => site.stop())

/** Until when a browser keeps the session cookie of this answer; undefined when the answer sets none. */
function cookieEndsAt(response: Response): number | undefined {
  const cookie = response.headers.getSetCookie().find((each) => each.startsWith('token='))
  const maxAgeS = cookie && /Max-Age=(\d+)/.exec(cookie)?.[1]
  return maxAgeS === undefined ? undefined : Date.now() + Number(maxAgeS) * 1000
}

test('a session that slid on with use is not lost because its cookie ran out', async () => {
  const user = await createUser(site.db, { password: 'correct horse' })
  const login = await fetch(`${site.url}${accounts.login.path}`, {
    method: 'POST',
    body: new URLSearchParams({ loginName: user.email, loginPwd: 'correct horse', terminalUUID: 't' }),
  })
  const { token } = ((await login.json()) as { hwdata: { token: string } }).hwdata
  // A day later: the session was opened, and the cookie set, 24 hours ago.
  const dayMs = 86_400_000
  await site.db
    .updateTable('sessions')
    .set({ last_seen_at: new Date(Date.now() - dayMs), expires_at: new Date(Date.now() + 29 * dayMs) })
    .where('user_id', '=', user.userId)
    .execute()
  const used = await fetch(`${site.url}${accounts.listTerminals.path}`, {
    headers: { cookie: `token=${token}` },
  })
  expect(used.status).toBe(200)
  const session = await site.db
    .selectFrom('sessions')
    .select('expires_at')
    .where('user_id', '=', user.userId)
    .orderBy('expires_at', 'desc')
    .executeTakeFirstOrThrow()
  const keptUntil = cookieEndsAt(used) ?? (cookieEndsAt(login) ?? 0) - dayMs
  expect(keptUntil).toBeGreaterThan(session.expires_at.getTime() - 60_000)
})
