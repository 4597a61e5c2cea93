import type { telemetry } from '@busbar/contract'
import { expect, test } from 'vitest'
import { tagsText } from '../../../shared/i18n/en/tags.ts'
import {
  changedFields,
  changeOf,
  checkDraft,
  draftOf,
  emptyDraft,
  previewOf,
  writtenTag,
} from './tag-draft.ts'

const words = tagsText.problems
const tag: telemetry.Tag = {
  tagId: 1,
  group: 'line',
  wireGroup: 'line',
  tag: 'D100',
  name: 'D100',
  type: 'float64',
  unit: '',
  scale: 2,
  readOnly: true,
  min: null,
  max: null,
  lastAt: null,
  openable: true,
}

test('a form shows the settings, and an emptied field returns to the device’s value', () => {
  const settings = { name: 'Oven', unit: '', scale: 1, min: 0, enum: { 0: 'off' }, writable: true }
  const set = { ...tag, settings }
  expect(changeOf(tag, draftOf(set), words)).toEqual({ ...settings, max: null, readAs: null })
  expect(changeOf(set, emptyDraft, words)).toEqual({
    name: null,
    unit: null,
    scale: null,
    min: null,
    max: null,
    enum: null,
    readAs: null,
    writable: null,
  })
})

test('a text variable has only a name and a unit', () => {
  const text = { ...tag, type: 'string', openable: undefined } as unknown as telemetry.Tag
  expect(changeOf(text, { ...emptyDraft, name: 'Lot' }, words)).toEqual({
    name: 'Lot',
    unit: null,
    readAs: null,
  })
})

test('another type has other fields, and resets what it cannot have', () => {
  const set = { ...tag, settings: { min: 0, scale: 1 } }
  const draft = { ...draftOf(set), readAs: 'bool', on: 'open' }
  expect(changeOf(set, draft, words)).toEqual({
    name: null,
    unit: null,
    scale: null,
    min: null,
    enum: { true: 'open' },
    readAs: 'bool',
    writable: null,
  })
  const { settings: _, openable: __, ...told } = set
  expect(changeOf(told, draft, words)).not.toHaveProperty('readAs')
})

test('invalid input is explained beside its field', () => {
  const draft = { ...emptyDraft, name: '字'.repeat(41), min: '5', max: '3', texts: '0 = off\n1 on' }
  expect(checkDraft(tag, draft, words)).toMatchObject({
    name: words.long('80'),
    min: words.order,
    max: undefined,
    texts: words.line('1 on'),
  })
  expect(checkDraft(tag, { ...emptyDraft, min: '1,5', texts: '1.5=a' }, words)).toMatchObject({
    min: words.number,
    texts: words.value('1.5'),
  })
  expect(checkDraft(tag, { ...emptyDraft, texts: '1=a\n1=b' }, words).texts).toBe(words.twice('1'))
})

test('the preview shows the typed text over the device’s own', () => {
  const own = { name: 'D100', unit: 'bar', scale: 2, min: null, max: null, enum: { 0: 'off', 1: 'on' } }
  const set = { ...tag, own, name: 'Pressure', settings: { name: 'Pressure' } }
  expect(previewOf(set, { ...emptyDraft, scale: '0', texts: '1＝open' }, words)).toMatchObject({
    name: 'D100',
    unit: 'bar',
    scale: 0,
    enum: { 0: 'off', 1: 'open' },
  })
})

test('a value is written with the digits that the device has, not those that are shown', () => {
  const own = { name: 'D100', unit: '', scale: 2, min: null, max: null }
  expect(writtenTag({ ...tag, scale: 0, own, settings: { scale: 0 } }).scale).toBe(2)
})

test('two settings differ in the fields that say something else', () => {
  expect(changedFields({ name: 'a', enum: { 0: 'x' } }, { name: 'a', enum: { 0: 'y' }, min: 1 })).toEqual([
    'min',
    'enum',
  ])
})
