import { randomInt } from 'node:crypto'
import type { scada as contract, InputOf, operator } from '@busbar/contract'
import { Failure } from '../../kernel/http/failure.ts'
import { type Actor, auditAct } from '../audit/index.ts'
import type { BrandDirectory } from '../brands/index.ts'
import type { Outgoing } from '../outgoing/index.ts'
import { writeScadaMail } from './scada-mail.ts'
import * as store from './scada-store.ts'

/** Read out over a telephone: no two of these sound or look alike. */
const ticketAlphabet = '23456789ABCDEFGHJKMNPQRSTUVWXYZ'
const ticketCharacters = 6
/** Limit of open requests of one e-mail; the next has to wait for an answer (rules/operations.md: scada requests). */
const openRequestsMax = 3
const retryInS = 3_600

/** The person who fills in the form, and their address. */
export interface Applicant {
  readonly brandId: number
  readonly lang: 'cn' | 'en'
  readonly address: string
  /** Epoch milliseconds. */
  readonly now: number
}

/** Takes a request; answers its ticket. Throws 429 while three of this e-mail wait for their answer. */
export async function register(
  db: store.Db,
  input: InputOf<typeof contract.registerScada>,
  { brandId, lang, address, now }: Applicant,
): Promise<string> {
  const ticketNo = createTicketNo(now)
  const request = { ...input, ticketNo, brandId, lang, address, at: new Date(now) }
  const isTaken = await db.transaction().execute((trx) => store.createRequest(trx, request, openRequestsMax))
  if (!isTaken) throw new Failure('429', { data: { retryIn: retryInS } })
  return ticketNo
}

/** Answers a request by e-mail, once. Throws 404, and 12010401 if another operator was faster. */
export async function answer(
  deps: { db: store.Db; brands: BrandDirectory; outgoing: Pick<Outgoing, 'queue'> },
  actor: Actor,
  input: InputOf<typeof operator.answerScadaRequest>,
): Promise<void> {
  await deps.db.transaction().execute(async (trx) => {
    const request = await store.lockRequest(trx, input.id)
    if (!request) throw new Failure('404')
    if (request.answered_at) throw new Failure('12010401')
    await store.updateAnswer(trx, request.id, {
      text: input.answer,
      approved: input.approved,
      userId: actor.user.userId,
      at: new Date(actor.now),
    })
    const lang = request.lang === 'en' ? 'en' : 'cn'
    const mail = writeScadaMail(
      {
        ticketNo: request.ticket_no,
        company: request.company,
        approved: input.approved,
        answer: input.answer,
        platform: deps.brands.get(request.brand_id).platformName[lang],
      },
      lang,
    )
    await deps.outgoing.queue(trx, {
      kind: 'email',
      mail: 'scadaAnswer',
      to: request.email,
      brandId: request.brand_id,
      lang,
      ...mail,
    })
    await auditAct(trx, actor, {
      action: 'scada.answer',
      target: request.ticket_no,
      detail: { company: request.company, approved: input.approved },
    })
  })
}

/** `20261121-7KQ2MB`: the day of arrival, and enough random characters that nobody can guess another one. */
function createTicketNo(now: number): string {
  const day = new Date(now).toISOString().slice(0, 10).replaceAll('-', '')
  const chance = Array.from(
    { length: ticketCharacters },
    () => ticketAlphabet[randomInt(ticketAlphabet.length)],
  )
  return `${day}-${chance.join('')}`
}
