import { type ApiError, type InputOf, operator, scada } from '@busbar/contract'
import { failureOf, type TestUser } from '@busbar/testkit'
import { useSite } from '@busbar/testkit/test-site.ts'
import { beforeAll, describe, expect, test } from 'vitest'
import { register } from './scada-service.ts'

const site = useSite()
let boss: TestUser
beforeAll(async () => {
  boss = await site.createUser({ name: 'Olga Op' })
  await site.db.updateTable('users').set({ is_operator: true }).where('id', '=', boss.userId).execute()
})

let requests = 0
const wish = (more: Partial<InputOf<typeof scada.registerScada>> = {}) => ({
  company: 'Forge <b>Ltd</b>',
  phone: '+86 138 0000 0000',
  email: `plant${++requests}@example.test`,
  area: 'Suzhou',
  project: 'Two presses\nand an oven',
  purpose: 'run' as const,
  ...more,
})

describe('a request for a SCADA computer', () => {
  test('is answered once, by e-mail in the language it came in, and never as markup', async () => {
    const request = wish()
    const { ticketNo } = await site.as(undefined, 'cn').call(scada.registerScada, request)
    const { list } = await site.as(boss).call(operator.listScadaRequests, { only: 'open', search: ticketNo })
    const [row] = list
    if (!row) throw new Error('the request is not there')
    expect(row).toMatchObject({ ...request, answeredAt: null, approved: null })
    expect(row.answerBy - row.createdAt).toBe(24 * 3_600_000)

    const answer = { id: row.id, approved: true, answer: 'Welcome <script>alert(1)</script>' }
    const outcomes = await Promise.allSettled(
      [1, 2].map(() => site.as(boss).call(operator.answerScadaRequest, answer)),
    )
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    expect(await site.refusalOf(boss, operator.answerScadaRequest, answer)).toBe('12010401')

    const mails = await site.db
      .selectFrom('outgoing')
      .select(['subject', 'text', 'html', 'lang'])
      .where('recipient', '=', request.email)
      .execute()
    expect(mails).toHaveLength(1)
    expect(mails[0]).toMatchObject({ lang: 'cn' })
    expect(mails[0]?.subject).toContain(ticketNo)
    expect(mails[0]?.text).toContain(answer.answer)
    expect(mails[0]?.html).not.toMatch(/<script|<b>/)
    const { list: entries } = await site.as(boss).call(operator.listAudit, { search: 'scada.answer' })
    expect(entries.map(({ target }) => target)).toEqual([ticketNo])
  })

  test.each([
    ['company', { company: ' ' }],
    ['company', { company: 'x'.repeat(201) }],
    ['email', { email: 'nobody' }],
    ['phone', { phone: 'call me' }],
    ['project', { project: 'a\u0007b' }],
    ['project', { project: 'x'.repeat(1_001) }],
  ])('is refused for its %s', async (field, more) => {
    const failure = await failureOf(site.as(undefined), scada.registerScada, wish(more))
    expect(failure).toMatchObject({ http: 400, field })
  })
})

describe('a stranger with a script', () => {
  test('gets three requests of one e-mail open at a time, however many are sent together', async () => {
    const request = wish()
    const from = { brandId: 1, lang: 'en' as const, address: '192.0.2.1', now: Date.now() }
    const outcomes = await Promise.allSettled(
      Array.from({ length: 40 }, () => register(site.db, request, from)),
    )
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(3)
  })

  test('is stopped after five requests in an hour from one address', async () => {
    const outcomes = []
    for (let tries = 0; tries < 6; tries++)
      outcomes.push(
        await site
          .as(undefined)
          .call(scada.registerScada, wish())
          .then(
            () => 'taken',
            (error: ApiError) => error.code,
          ),
      )
    expect(outcomes.at(-1)).toBe('429')
    expect(outcomes.filter((outcome) => outcome === 'taken').length).toBeLessThanOrEqual(5)
  })
})
