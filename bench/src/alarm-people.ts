import type { Database } from '@busbar/platform/kernel/database/database.ts'
import { sql } from 'kysely'

const smsOfEach = 1_000_000

/** Gives every person a phone and a stock of SMS, so that alarms go out by each channel. */
export async function payForSms(db: Database): Promise<void> {
  await sql`
    update users set lang = 'en', country_code = '86', phone = (13000000000 + id)::text where phone is null`.execute(
    db,
  )
  await sql`
    with stocks as (
      insert into sms_stocks (user_id, stock, created_at) select id, ${smsOfEach}::int, now() from users returning id, stock
    )
    insert into sms_stock_records (stock_id, kind, segments, change, remaining, at)
    select id, 'recharge', stock, stock, stock, now() from stocks`.execute(db)
}

/** The settings with which a platform sends through stand-ins on loopback. */
export const providersEnvironment = ({ smtpPort, smppPort }: ProviderPorts) => ({
  SMTP_URL: `smtp://127.0.0.1:${smtpPort}`,
  EMAIL_SENDER: 'busbar@example.test',
  SMS_URL: `smpp://bench@127.0.0.1:${smppPort}`,
  SMS_SENDER: '1068',
  // Mails contain links only if the platform knows its own address.
  PUBLIC_URL: 'https://busbar.example.test',
})

export interface ProviderPorts {
  readonly smtpPort: number
  readonly smppPort: number
}
