import { describe, expect, it } from 'vitest'
import { joining } from '../../shared/i18n/en/joining.ts'
import { login } from '../../shared/i18n/en/login.ts'
import { findScadaErrors, type ScadaRequest } from './scada-request.ts'

const typed: ScadaRequest = {
  company: 'Ming Machines',
  phone: '+86 (512) 6288-1234',
  email: 'ming@example.cn',
  area: 'Suzhou',
  project: 'Twelve presses',
  purpose: 'develop',
}
const find = (part: Partial<ScadaRequest>) => findScadaErrors({ ...typed, ...part }, { joining, login })

describe('the SCADA form', () => {
  it('takes what people write', () => {
    expect(find({})).toEqual({})
  })

  it('reports each missing field', () => {
    expect(Object.keys(find({ company: ' ', phone: '', email: '', area: '', project: '\n' }))).toEqual(
      expect.arrayContaining(['company', 'phone', 'email', 'area', 'project']),
    )
  })

  it('knows a number and an e-mail from anything else', () => {
    expect(find({ phone: 'call me' })).toEqual({ phone: login.errors.phoneShort })
    expect(find({ email: 'ming@example' })).toEqual({ email: login.errors.emailForm })
  })
})
