import { type RequestOf, scada } from '@busbar/contract'
import { isEmailForm, phoneDigits } from '../../entities/account/account-entry.ts'
import type { Text } from '../../shared/i18n/text.ts'

/** The input of the form. */
export type ScadaRequest = RequestOf<typeof scada.registerScada>

/** In the order of the form. */
export const scadaFields = ['company', 'phone', 'area', 'email', 'project'] as const
export type ScadaField = (typeof scadaFields)[number]

export type ScadaErrors = Partial<Record<ScadaField, string>>

/** The platform's form of a number; people call it, so it is kept as written. */
const phoneForm = /^\+?\d{6,}$/

/** Finds errors without asking the platform. */
export function findScadaErrors(typed: ScadaRequest, t: Pick<Text, 'joining' | 'login'>): ScadaErrors {
  const { missing } = t.joining.scada
  const { errors: words } = t.login
  const errors: ScadaErrors = {}
  for (const field of ['company', 'phone', 'area', 'project'] as const)
    if (!typed[field].trim()) errors[field] = missing[field]
  if (!errors.phone && !phoneForm.test(phoneDigits(typed.phone.trim()))) errors.phone = words.phoneShort
  if (!typed.email.trim()) errors.email = words.emailMissing
  else if (!isEmailForm(typed.email.trim())) errors.email = words.emailForm
  return errors
}

/** The longest a field may be, in characters. */
export function fieldMax(field: ScadaField): number | undefined {
  return field === 'email' ? undefined : scada.scadaLimits[field]
}
