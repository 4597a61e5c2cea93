import type { notifications as contract } from '@busbar/contract'
import { withTransaction } from '../../kernel/database/database.ts'
import { Failure } from '../../kernel/http/failure.ts'
import { readerOf } from '../../reader.ts'
import { type Brand, mainBrandId } from '../brands/index.ts'
import type { Mailbox } from '../messages/index.ts'
import { formatEmail, type Outgoing, type OutgoingMessage } from '../outgoing/index.ts'
import { readStock } from '../sms-stock/index.ts'
import { findPersonBrand } from './machine-settings-store.ts'
import type { Asker, SettingsDeps } from './settings-service.ts'
import * as settings from './settings-store.ts'
import { countTerminals, findReceiver, type Receiver } from './ways-store.ts'

export interface WaysDeps extends Pick<SettingsDeps, 'db' | 'guards'> {
  readonly outgoing: Pick<Outgoing, 'canSend' | 'queueAll'>
  readonly mailbox: Pick<Mailbox, 'write'>
  readonly brandOf: (id: number) => Brand
}

/** A terminal notes at most every five minutes that it is in use. */
const inUseMs = 10 * 60_000

/** The ways by which alarms reach a person now, with what stands against each. */
export async function listWays(
  deps: WaysDeps,
  { userId, now }: Asker,
  eid: number | undefined,
): Promise<contract.AlarmWays> {
  const { db, guards, outgoing } = deps
  if (eid !== undefined && !(await guards.hasEnterpriseRight(userId, eid, 'member'))) throw new Failure('403')
  const own = (await settings.listPersonSettings(db, [userId])).get(userId) ?? settings.usualSettings
  const space = eid === undefined ? undefined : (await settings.listSpaceSettings(db, [eid])).get(eid)
  const receiver = await findReceiver(db, userId)
  const stocks = [
    { userId, ...(eid !== undefined && { enterpriseId: eid }) },
    ...(eid === undefined ? [] : [{ enterpriseId: eid }]),
  ]
  let stock = 0
  for (const owner of stocks) stock += await readStock(db, owner)
  const terminals = await countTerminals(db, userId, new Date(now - inUseMs))

  const hindranceOf = (way: 'email' | 'sms'): contract.WayHindrance | null => {
    if (!outgoing.canSend(way)) return 'noService'
    if (!(way === 'sms' ? receiver.phone : receiver.email)) return 'noAddress'
    if (!own[way] || space?.[way] === false) return 'off'
    return way === 'sms' && stock === 0 ? 'noStock' : null
  }
  return {
    ways: [
      { way: 'message', hindrance: null },
      { way: 'push', hindrance: terminals === 0 ? 'noPage' : null },
      { way: 'email', hindrance: hindranceOf('email') },
      { way: 'sms', hindrance: hindranceOf('sms') },
    ],
    terminals,
    stock,
  }
}

/** Sends a person a test by each way that works now, at no cost to a balance; answers the ways. */
export async function testWays(
  deps: WaysDeps,
  asker: Asker,
  eid: number | undefined,
): Promise<contract.AlarmWays> {
  const found = await listWays(deps, asker, eid)
  const { userId, now } = asker
  const works = (way: contract.AlarmWay) =>
    found.ways.some((one) => one.way === way && one.hindrance === null)
  const receiver = await findReceiver(deps.db, userId)
  const brand = deps.brandOf((await findPersonBrand(deps.db, userId)) ?? mainBrandId)
  const messages = (['email', 'sms'] as const).filter(works).map((way) => formatTest(way, receiver, brand))
  await withTransaction(deps.db, async (trx) => {
    await deps.outgoing.queueAll(trx, messages)
    // Last, because it locks the reader's events. It shows on open pages, too.
    await deps.mailbox.write(trx, new Date(now), {
      messages: [{ userId, kind: 'alarmTest', params: {} }],
    })
  })
  return found
}

const texts = {
  cn: { title: '报警通知测试', body: '这是一条测试通知：设备发生报警时，您会以这种方式收到通知。' },
  en: {
    title: 'Test of alarm notifications',
    body: 'This is a test: when a device raises an alarm, you are notified this way.',
  },
} as const

function formatTest(way: 'email' | 'sms', receiver: Receiver, brand: Brand): OutgoingMessage {
  const { lang } = readerOf(receiver)
  const { title, body } = texts[lang]
  if (way === 'sms')
    return {
      ...{ kind: 'sms', countryCode: receiver.country_code ?? '', phone: receiver.phone ?? '' },
      ...{ text: body, brandId: brand.id, lang },
    }
  const brandName = brand.platformName[lang]
  const accent = brand.accent || undefined
  return {
    ...{
      kind: 'email',
      mail: 'alarmTest',
      to: receiver.email ?? '',
      subject: title,
      brandId: brand.id,
      lang,
    },
    ...formatEmail({ lang, brandName, accent, title, paragraphs: [body] }),
  }
}
