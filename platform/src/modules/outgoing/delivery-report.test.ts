import { describe, expect, test } from 'vitest'
import { deliveryReport } from '../../../test-support/delivery-mails.ts'
import { readDeliveryReport } from './delivery-report.ts'

const token = 'abcdefghij_klmnop-qrst'
const messageId = `busbar.14.${token}@plant.test`
const ours = { id: 14, token }

describe('a mail that tells nothing about an e-mail of ours', () => {
  test.each([
    [
      'the reply of a person',
      `From: li@example.test\nIn-Reply-To: <${messageId}>\nReferences: <${messageId}>\nContent-Type: text/plain\n\nI am on my way.\nMessage-ID: <${messageId}>\n`,
    ],
    [
      'the answer of an absent person',
      `Auto-Submitted: auto-replied\nIn-Reply-To: <${messageId}>\nContent-Type: text/plain\n\nI am out of office.\n`,
    ],
    ['the notice of a delay', deliveryReport(messageId, { action: 'delayed', status: '4.4.1' })],
    ['a mail that was passed on', deliveryReport(messageId, { action: 'relayed', status: '2.0.0' })],
    ['a receipt of reading', deliveryReport(messageId, { reportType: 'disposition-notification' })],
    ['a report about a mail of somebody else', deliveryReport('x@example.test')],
    ['an id in another part', deliveryReport(`x@example.test>\r\nX-Id: <${messageId}`)],
    ['no boundary', 'Content-Type: multipart/report; report-type=delivery-status\n\nx'],
    ['nothing', ''],
  ])('%s', (_, mail) => {
    expect(readDeliveryReport(mail)).toBeUndefined()
  })
})

describe('a result of an e-mail of ours', () => {
  test.each([
    ['a failure', deliveryReport(messageId), 'failed'],
    [
      'a failure after days of trying',
      deliveryReport(messageId, { action: 'Failed', status: '4.4.7' }),
      'failed',
    ],
    ['a status without an action', deliveryReport(messageId).replace('Action: failed\r\n', ''), 'failed'],
    ['a success', deliveryReport(messageId, { action: 'delivered', status: '2.1.5' }), 'delivered'],
    [
      'only the head of the message, with its long lines broken',
      deliveryReport(messageId)
        .replace('message/rfc822', 'text/rfc822-headers\r\nContent-Transfer-Encoding: quoted-printable')
        .replace('busbar.14.abc', 'busbar.14.=\r\nabc'),
      'failed',
    ],
  ])('%s', (_, mail, delivery) => {
    expect(readDeliveryReport(mail)).toEqual({ ...ours, delivery })
  })
})
