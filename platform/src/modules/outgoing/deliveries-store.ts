import type { smsStock } from '@busbar/contract'
import { type Kysely, sql } from 'kysely'
import { withKeptPlan } from '../../kernel/database/kept-plan.ts'
import type { DB } from '../../kernel/database/schema.gen.ts'
import type { DeliveryReport } from './delivery-report.ts'
import type { Receipt } from './message.ts'

type Db = Kysely<DB>

/** The services with supported receipts, each with its own ids. */
export type ReceiptSource = 'smpp' | 'http'

/** The outcome of one try. `unknown`: the provider may have accepted it. */
export type Outcome = 'accepted' | 'refused' | 'failed' | 'unknown'

/** Notes how a try ended. */
export async function endAttempt(
  db: Db,
  outgoingId: number,
  attempt: number,
  { outcome, error, at }: { outcome: Outcome; error: string; at: Date },
): Promise<void> {
  await db
    .updateTable('outgoing_attempts')
    .set({ outcome, error, ended_at: at })
    .where('outgoing_id', '=', outgoingId)
    .where('attempt', '=', attempt)
    .execute()
}

/** Notes tries whose message the provider accepted. */
export async function endAccepted(
  db: Db,
  tries: readonly { readonly id: number; readonly attempt: number }[],
  at: Date,
): Promise<void> {
  await withKeptPlan(
    'accepted-tries',
    sql`
    update outgoing_attempts set outcome = 'accepted', error = '', ended_at = ${at}
    from unnest(${tries.map(({ id }) => id)}::bigint[], ${tries.map(({ attempt }) => attempt)}::int[])
      as given (id, attempt)
    where outgoing_id = given.id and outgoing_attempts.attempt = given.attempt`,
  ).execute(db)
}

/** A part of a message, by the id that the provider gave it. */
export interface Part {
  readonly outgoingId: number
  readonly providerId: string
}

/** Notes the parts of messages that the provider accepted; a receipt may have come before. */
export async function addParts(
  db: Db,
  source: ReceiptSource,
  parts: readonly Part[],
  at: Date,
): Promise<void> {
  if (parts.length === 0) return
  // A centre that gives one id twice means the later message.
  const unique = [...new Map(parts.map((part) => [part.providerId, part])).values()]
  await withKeptPlan(
    'new-parts',
    sql`
    insert into outgoing_parts (provider, provider_id, outgoing_id, at)
    select ${source}, id, outgoing_id, ${at}
    from unnest(${unique.map(({ providerId }) => providerId)}::text[],
                ${unique.map(({ outgoingId }) => outgoingId)}::bigint[]) as part (id, outgoing_id)
    order by id
    on conflict (provider, provider_id) do update set outgoing_id = excluded.outgoing_id`,
  ).execute(db)
}

/** Notes receipts; answers the messages they are about, as far as these are known yet. */
export async function noteReceipts(
  db: Db,
  source: ReceiptSource,
  receipts: readonly Receipt[],
  at: Date,
): Promise<number[]> {
  const unique = [...new Map(receipts.map((receipt) => [receipt.providerId, receipt])).values()]
  const { rows } = await sql<{ outgoing_id: number | null }>`
    insert into outgoing_parts (provider, provider_id, state, error, at)
    select ${source}, id, state, error, ${at}
    from unnest(${unique.map(({ providerId }) => providerId)}::text[], ${unique.map(({ state }) => state)}::text[],
                ${unique.map(({ error }) => error)}::text[]) as receipt (id, state, error)
    order by id
    on conflict (provider, provider_id) do update
      set state = coalesce(outgoing_parts.state, excluded.state), error = excluded.error
    returning outgoing_id`.execute(db)
  return [...new Set(rows.flatMap(({ outgoing_id: id }) => (id === null ? [] : [id])))]
}

/** A message whose fate is known now. */
export interface Settled {
  readonly id: number
  readonly notificationId: number | null
  readonly delivery: 'delivered' | 'failed'
}

/** Settles messages that were sent: delivered when every part is, failed when one is; each is settled once. */
export async function settleDeliveries(db: Db, outgoingIds: readonly number[]): Promise<Settled[]> {
  const { rows } = await withKeptPlan(
    'settled-deliveries',
    sql<{ id: number; notification_id: number | null; delivery: Settled['delivery'] }>`
    update outgoing set delivery = parts.delivery
    from (
      select outgoing_id,
             case when bool_or(state = 'failed') then 'failed' when bool_and(state is not null) then 'delivered' end
               as delivery
      from outgoing_parts where outgoing_id = any(${[...outgoingIds]}::bigint[]) group by outgoing_id
    ) parts
    where outgoing.id = parts.outgoing_id and outgoing.state = 'sent' and outgoing.delivery is null
      and parts.delivery is not null
    returning outgoing.id, outgoing.notification_id, outgoing.delivery`,
  ).execute(db)
  return rows.map((row) => ({
    id: row.id,
    notificationId: row.notification_id,
    delivery: row.delivery,
  }))
}

/** Settles e-mails that a mail system reported about, known by id and token; a later report corrects an earlier one. */
export async function settleReports(db: Db, reports: readonly DeliveryReport[]): Promise<Settled[]> {
  const last = [...new Map(reports.map((one) => [one.id, one])).values()]
  const { rows } = await sql<{ id: number; notification_id: number | null; delivery: Settled['delivery'] }>`
    update outgoing set delivery = told.delivery
    from unnest(${last.map(({ id }) => id)}::bigint[], ${last.map(({ token }) => token)}::text[],
                ${last.map(({ delivery }) => delivery)}::text[]) as told (id, token, delivery)
    where outgoing.id = told.id and outgoing.mail_token = told.token and outgoing.kind = 'email'
      and outgoing.state = 'sent' and outgoing.delivery is distinct from told.delivery
    returning outgoing.id, outgoing.notification_id, outgoing.delivery`.execute(db)
  return rows.map((row) => ({ id: row.id, notificationId: row.notification_id, delivery: row.delivery }))
}

/** Removes receipts without a message that came before an instant. */
export async function removeStrayReceipts(db: Db, before: Date): Promise<void> {
  await db.deleteFrom('outgoing_parts').where('outgoing_id', 'is', null).where('at', '<', before).execute()
}

/** The template of a brand for a language and purpose; empty without one. */
export async function findTemplate(
  db: Db,
  named: { readonly brandId: number; readonly lang: string; readonly purpose: string },
): Promise<string> {
  const row = await db
    .selectFrom('sms_templates')
    .select('template')
    .where('brand_id', '=', named.brandId)
    .where('lang', '=', named.lang)
    .where('purpose', '=', named.purpose)
    .executeTakeFirst()
  return row?.template ?? ''
}

/** The templates of every brand. */
export async function listTemplates(db: Db): Promise<smsStock.SmsTemplate[]> {
  const rows = await db
    .selectFrom('sms_templates')
    .selectAll()
    .orderBy('brand_id')
    .orderBy('lang')
    .orderBy('purpose')
    .execute()
  return rows.map(({ brand_id, lang, purpose, template }) => ({
    brandId: brand_id,
    lang: lang as smsStock.SmsTemplate['lang'],
    purpose: purpose as smsStock.SmsPurpose,
    template,
  }))
}

/** Sets a template, or takes it away where it is empty. */
export async function saveTemplate(
  db: Db,
  { brandId, lang, purpose, template }: smsStock.SmsTemplate,
): Promise<void> {
  if (template === '') {
    const named = db.deleteFrom('sms_templates').where('brand_id', '=', brandId)
    await named.where('lang', '=', lang).where('purpose', '=', purpose).execute()
    return
  }
  await db
    .insertInto('sms_templates')
    .values({ brand_id: brandId, lang, purpose, template })
    .onConflict((conflict) => conflict.columns(['brand_id', 'lang', 'purpose']).doUpdateSet({ template }))
    .execute()
}
