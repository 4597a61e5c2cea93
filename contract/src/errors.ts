import { accessErrors } from './errors/access.ts'
import { accountErrors } from './errors/account.ts'
import { agentConfigErrors } from './errors/agent-config.ts'
import { alarmErrors } from './errors/alarm.ts'
import { alarmContactErrors } from './errors/alarm-contact.ts'
import { alarmRuleErrors } from './errors/alarm-rule.ts'
import { boardErrors } from './errors/board.ts'
import { brandErrors } from './errors/brand.ts'
import { enterpriseErrors } from './errors/enterprise.ts'
import { exportErrors } from './errors/export.ts'
import { fileErrors } from './errors/file.ts'
import { machineErrors } from './errors/machine.ts'
import { onboardingErrors } from './errors/onboarding.ts'
import { operatorErrors } from './errors/operator.ts'
import { placeErrors } from './errors/place.ts'
import { projectErrors } from './errors/project.ts'
import { reportErrors } from './errors/report.ts'
import { requestErrors } from './errors/request.ts'
import { retentionErrors } from './errors/retention.ts'
import { simErrors } from './errors/sim.ts'
import { siteErrors } from './errors/site.ts'
import { smsErrors } from './errors/sms.ts'
import { tagErrors } from './errors/tag.ts'
import { tileErrors } from './errors/tile.ts'
import { viewErrors } from './errors/view.ts'
import { visitErrors } from './errors/visit.ts'
import { writeErrors } from './errors/write.ts'
import type { Lang } from './text.ts'

export { type ErrorKind, kindOnPath, signsOutAt404 } from './errors/error-kind.ts'

/**
 * Every error a person can meet, by its code; a file of `errors/` for each noun. Codes of nine digits are part of the
 * interface and never change; the short ones are the envelope's own.
 */
export const errors = {
  ...requestErrors,
  ...operatorErrors,
  ...brandErrors,
  ...enterpriseErrors,
  ...accountErrors,
  ...visitErrors,
  ...writeErrors,
  ...accessErrors,
  ...machineErrors,
  ...placeErrors,
  ...alarmContactErrors,
  ...alarmErrors,
  ...alarmRuleErrors,
  ...simErrors,
  ...siteErrors,
  ...smsErrors,
  ...retentionErrors,
  ...boardErrors,
  ...fileErrors,
  ...agentConfigErrors,
  ...viewErrors,
  ...tagErrors,
  ...exportErrors,
  ...reportErrors,
  ...onboardingErrors,
  ...projectErrors,
  ...tileErrors,
}

export type ErrorCode = keyof typeof errors

/** The text of an error code in a language; undefined for an unknown code. */
export function errorText(code: string, lang: Lang): string | undefined {
  return Object.hasOwn(errors, code) ? errors[code as ErrorCode].text[lang] : undefined
}
