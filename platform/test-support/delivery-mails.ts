/** A delivery report as Postfix writes it (RFC 3464). */
export function deliveryReport(
  messageId: string,
  {
    action = 'failed',
    status = '5.1.1',
    reportType = 'delivery-status',
  }: {
    readonly action?: string
    readonly status?: string
    readonly reportType?: string
  } = {},
): string {
  return `From: MAILER-DAEMON@mx.plant.test
To: alarms@plant.test
Subject: Undelivered Mail Returned to Sender
Auto-Submitted: auto-replied
MIME-Version: 1.0
Content-Type: multipart/report; report-type=${reportType};
	boundary="B1A2.1/mx"

This is a MIME-encapsulated message.

--B1A2.1/mx
Content-Description: Notification
Content-Type: text/plain; charset=us-ascii

I'm sorry to have to inform you about <busbar.1.${'y'.repeat(22)}@plant.test>.

--B1A2.1/mx
Content-Description: Delivery report
Content-Type: message/delivery-status

Reporting-MTA: dns; mx.plant.test
Arrival-Date: Wed, 25 Nov 2026 10:00:00 +0800

Final-Recipient: rfc822; li@example.test
Action: ${action}
Status: ${status}
Diagnostic-Code: smtp; 550 5.1.1 no such user

--B1A2.1/mx
Content-Description: Undelivered Message
Content-Type: message/rfc822

From: alarms@plant.test
To: li@example.test
Message-ID:
 <${messageId}>
Subject: Alarm

The alarm.

--B1A2.1/mx--
`.replaceAll('\n', '\r\n')
}
