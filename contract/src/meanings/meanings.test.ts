import { expect, test } from 'vitest'
import { z } from 'zod'
import { languages, type Route, routes } from '../index.ts'
import { openApiDocument } from '../openapi.ts'
import { agentConfigFields } from './agent-config-fields.ts'
import { alarmContactFields } from './alarm-contact-fields.ts'
import { alarmFields } from './alarm-fields.ts'
import { alarmRuleFields } from './alarm-rule-fields.ts'
import { boardFields } from './board-fields.ts'
import { describedCn } from './described-cn.ts'
import { exportFields } from './export-fields.ts'
import { machineFields } from './machine-fields.ts'
import { notificationFields } from './notification-fields.ts'
import { onboardingFields } from './onboarding-fields.ts'
import { peopleFields } from './people-fields.ts'
import { placeMeanings } from './place-fields.ts'
import { platformFields } from './platform-fields.ts'
import { projectFields } from './project-fields.ts'
import { reportFields } from './report-fields.ts'
import { simFields } from './sim-fields.ts'
import { siteFields } from './site-fields.ts'
import { smsFields } from './sms-fields.ts'
import { tileFields } from './tile-fields.ts'
import { viewFields } from './view-fields.ts'

const documented: readonly Route[] = routes.filter(({ path }) => /^\/e?api\//.test(path))

interface Schema {
  readonly description?: string
  readonly items?: Schema
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly properties?: Readonly<Record<string, Schema>>
}

interface Operation {
  readonly tags: readonly string[]
  readonly parameters?: readonly { readonly name: string; readonly schema: Schema }[]
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> }
  readonly responses: Readonly<
    Record<string, { readonly content: { readonly 'application/json'?: { readonly schema: Schema } } }>
  >
}

/** Every field of a schema by its whole name, with its description. */
function listFields(schema: Schema, path = ''): [string, string][] {
  const options = [...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.items ? [schema.items] : [])]
  return [
    ...options.flatMap((option) => listFields(option, path)),
    ...Object.entries(schema.properties ?? {}).flatMap(([name, field]): [string, string][] => [
      [`${path}.${name}`, field.description ?? ''],
      ...listFields(field, `${path}.${name}`),
    ]),
  ]
}

function listMeanings(lang: (typeof languages)[number]): [string, string][] {
  const document = openApiDocument(documented, { title: 'Busbar', version: '1', lang })
  const paths = document.paths as Record<string, Record<string, Operation>>
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, { parameters = [], requestBody, responses }]) => {
      const answer = responses['200']?.content['application/json']?.schema ?? {}
      const whole = answer.oneOf?.[0] ?? answer
      const body = Object.values(requestBody?.content ?? {})[0]?.schema ?? {}
      const fields = [
        ...parameters.map(({ name, schema }): [string, string] => [`.${name}`, schema.description ?? '']),
        ...listFields(body),
        ...listFields(whole.properties?.hwdata ?? whole),
      ]
      return fields.map(([name, text]): [string, string] => [`${method} ${path} ${name}`, text])
    }),
  )
}

test.each(languages)('every parameter and field of the API has a meaning in %s', (lang) => {
  const meanings = listMeanings(lang)
  expect(meanings.length).toBeGreaterThan(1_500)
  expect(meanings.filter(([, text]) => text === '').map(([place]) => place)).toEqual([])
})

test('a meaning is in the reader’s language, in one line, and more than that a field is required', () => {
  const isChinese = /\p{Script=Han}/u
  const inCn = listMeanings('cn').filter(([, text]) => !isChinese.test(text))
  expect(inCn).toEqual([])
  const inEn = listMeanings('en').filter(([, text]) => isChinese.test(text) || /\n|^required$/i.test(text))
  expect(inEn).toEqual([])
})

test('a field is explained in one place, and no translation is of a text that no schema has', () => {
  const keys = [
    onboardingFields,
    peopleFields,
    machineFields,
    platformFields,
    alarmFields,
    alarmContactFields,
    alarmRuleFields,
    agentConfigFields,
    boardFields,
    exportFields,
    reportFields,
    simFields,
    siteFields,
    smsFields,
    notificationFields,
    tileFields,
    viewFields,
    placeMeanings,
    projectFields,
  ].flatMap((fields) => Object.keys(fields))
  expect(keys.filter((key, place) => keys.indexOf(key) !== place)).toEqual([])
  const schemas = JSON.stringify(
    documented.map(({ request, answer }) => [
      z.toJSONSchema(request, { io: 'input', unrepresentable: 'any' }),
      z.toJSONSchema(answer, { io: 'output', unrepresentable: 'any' }),
    ]),
  )
  expect(Object.keys(describedCn).filter((text) => !schemas.includes(JSON.stringify(text)))).toEqual([])
})

test('the groups of the reference have names, not parts of paths', () => {
  const document = openApiDocument(documented, { title: 'Busbar', version: '1', lang: 'en' })
  const names = (document.tags as { name: string }[]).map(({ name }) => name)
  expect(names).toContain('Keys and visitors')
  expect(names.filter((name) => !/^[A-Z]/.test(name))).toEqual([])
  const paths = Object.values(document.paths as Record<string, Record<string, Operation>>)
  const used = new Set(paths.flatMap((methods) => Object.values(methods).flatMap(({ tags }) => tags)))
  expect([...used].sort()).toEqual([...names].sort())
})
