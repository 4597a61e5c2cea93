import type { notifications } from '@busbar/contract'
import type { Text } from '../../shared/i18n/text.ts'

interface Outcome {
  readonly channel: notifications.NotificationChannel
  readonly state: notifications.SendRecordState
  readonly reason: notifications.NotificationReason | ''
}

/** Why a notification was not sent by its channel, or went as it did; empty without a reason. */
export function sayReason(t: Text['notifications'], { channel, state, reason }: Outcome): string {
  const own = channel === 'sms' ? t.reasonsOf.sms : t.reasonsOf.email
  if (state === 'kept') return own.kept
  if (reason === 'noAddress') return own.noAddress
  return reason === '' ? '' : t.reasons[reason]
}
