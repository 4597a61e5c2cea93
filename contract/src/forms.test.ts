import { isDeepStrictEqual } from 'node:util'
import { describe, expect, test } from 'vitest'
import type { z } from 'zod'
import {
  access,
  applications,
  codes,
  enterprises,
  formToInput,
  jsonToInput,
  machines,
  messages,
  type Route,
  registration,
  routes,
  telemetry,
  visits,
} from './index.ts'

type Raw = Record<string, unknown>

const formOf = ({ request }: Route, form: Raw) => request.safeParse(formToInput(request, form))
const jsonOf = ({ request }: Route, body: Raw) => request.safeParse(jsonToInput(request, body))

const machine = { updateMachineID: 5, updateMachineCode: '1234567890123456789' }

describe('a form clears a text', () => {
  test.each([
    ['a remark', machines.updateMachine, { ...machine, updateMachineRemark: '' }],
    ['the name an enterprise shows', enterprises.updateEnterprise, { eid: 1, platformName: '' }],
    ['its picture', enterprises.updateEnterprise, { eid: 1, applyLogoUrl: '' }],
    ["an enterprise device's remark", enterprises.updateEnterpriseMachine, { eid: 1, id: 2, remark: '' }],
  ])('%s', (_, route, form) => {
    expect(formOf(route, form).data).toEqual(form)
    expect(jsonOf(route, form).data).toEqual(form)
  })

  test('and a list that is named and empty clears nothing, where an absent one means the whole tab', () => {
    for (const result of [
      formOf(messages.clearMessages, { ids: '', scene: 'inbox' }),
      jsonOf(messages.clearMessages, { ids: '', scene: 'inbox' }),
    ])
      expect(result.data).toEqual({ ids: [], scene: 'inbox' })
  })

  test('but not one that must have contents: the field is named', () => {
    const empty = { ...machine, updateMachineName: '' }
    for (const result of [formOf(machines.updateMachine, empty), jsonOf(machines.updateMachine, empty)])
      expect(result.error?.issues[0]?.path).toEqual(['updateMachineName'])
  })
})

describe('a client of the old kind is understood', () => {
  const email = 'ben@example.test'

  test('a number where a text of digits is meant', () => {
    const { data } = jsonOf(codes.sendPhoneCode, { phone: 13812340000, countryCode: 86, purpose: 'register' })
    expect(data).toMatchObject({ phone: '13812340000', countryCode: '86' })
  })

  test('no phone beside an e-mail', () => {
    const { data } = jsonOf(registration.confirmAccount, { phone: '', email })
    expect(data).toEqual({ countryCode: '86', email })
  })

  test.each([0, -1, '0', '-1', '', 7])('visitAlidTimeID %j', (visitAlidTimeID) => {
    const asked = { machineID: 3, terminalID: 't', visitAlidTimeID }
    expect(jsonOf(visits.checkVisit, asked).success).toBe(true)
    expect(formOf(visits.checkVisit, { ...asked, visitAlidTimeID: String(visitAlidTimeID) }).success).toBe(
      true,
    )
  })

  test.each(['', 0, '0', 'ALL', undefined])('groupId %j is all groups', (groupId) => {
    for (const route of [enterprises.listEnterpriseDevices, machines.listGeneralAttributes]) {
      expect(jsonOf(route, { eid: 1, groupId }).data).toMatchObject({ groupId: 'ALL' })
      const form = groupId === undefined ? {} : { groupId: String(groupId) }
      expect(formOf(route, { eid: '1', ...form }).data).toMatchObject({ groupId: 'ALL' })
    }
  })

  test.each([
    { 'machineIDs[]': '1' },
    { 'machineIDs[]': ['1'] },
    { 'machineIDs[0]': '1' },
    { machineIDs: '1' },
  ])('a list as %j', (form) => {
    expect(formOf(machines.listMachineStates, form).data).toEqual({ machineIDs: [1] })
  })

  test('brackets name lists only, and of the schema only', () => {
    const form = { 'machineID[]': '1', '__proto__[]': '1', 'constructor[]': '1' }
    expect(formToInput(machines.getMachineDetail.request, form)).toEqual({})
  })

  test('an empty ticket or password counts as absent', () => {
    expect(formOf(applications.applyForVisit, { machineID: '3', terminalID: 't', ticket: '' }).data).toEqual(
      jsonOf(applications.applyForVisit, { machineID: 3, terminalID: 't' }).data,
    )
    expect(
      jsonOf(access.setMachinePassword, { machineID: 3, password: '12345678', oldPassword: '' }).data,
    ).toEqual({ machineID: 3, password: '12345678' })
  })
})

describe('eid 0 is the personal space wherever eid may be left out, and refused elsewhere', () => {
  const withEid = routes.filter(({ request }) => 'eid' in request.shape)
  test.each(withEid.map((route) => [`${route.method} ${route.path}`, route] as const))('%s', (_, route) => {
    const field = (route.request.shape as Record<string, z.ZodType>).eid as z.ZodType
    const expected = field.safeParse(undefined).success ? { taken: undefined } : 'refused'
    for (const eid of ['', 0, '0', undefined])
      expect(outcomeOf(field, jsonToInput(route.request, { eid }).eid)).toEqual(expected)
    for (const eid of ['', '0'])
      expect(outcomeOf(field, formToInput(route.request, { eid }).eid)).toEqual(expected)
    expect(outcomeOf(field, 7)).toEqual({ taken: 7 })
  })
})

/** The values that a script may hold; a form sends `String` of the same. */
const values = ['', 0, 1, -1, 86, 12_345_678, 1.5, true, false, 'ALL', 'x', '1234567890123456789', 'a@b.test']
const lists = [[1], ['x'], [1, 2]]

/** The result of one field, independent of the others. */
function outcomeOf(field: z.ZodType, value: unknown): unknown {
  const result = field.safeParse(value)
  return result.success ? { taken: result.data } : 'refused'
}

test.each(routes.map((route) => [`${route.method} ${route.path}`, route] as const))(
  'form and JSON mean the same in every field: %s',
  (_, route) => {
    const { request } = route
    const differences: unknown[] = []
    for (const [name, field] of Object.entries<z.ZodType>(request.shape)) {
      // A form cannot distinguish the text "1" from the number 1 and from `true`.
      if (route === telemetry.writeTag && name === 'value') continue
      for (const value of [...values, ...lists]) {
        const json = outcomeOf(field, jsonToInput(request, { [name]: value })[name])
        // A form has texts only, and so accepts a fraction and `true` in forms that JSON refuses.
        if (json === 'refused' && typeof value !== 'string' && !Number.isSafeInteger(value)) continue
        const text = Array.isArray(value) ? value.map(String) : String(value)
        for (const key of Array.isArray(value) ? [name, `${name}[]`] : [name]) {
          const form = outcomeOf(field, formToInput(request, { [key]: text })[name])
          if (!isDeepStrictEqual(form, json)) differences.push({ key, value, form, json })
        }
      }
    }
    expect(differences).toEqual([])
  },
)
