import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import { listCatalogue } from './catalogue.ts'
import { demoTank, findProfile, profiles, reeferTruck } from './index.ts'

const graphemes = new Intl.Segmenter('zh', { granularity: 'grapheme' })
const lengthOf = (text: string) => [...graphemes.segment(text)].length

test('demo-machines.json matches the profiles', async () => {
  const file = path.resolve(import.meta.dirname, '../../demo-machines.json')
  expect(JSON.parse(await readFile(file, 'utf8'))).toEqual(listCatalogue())
})

test('names and remarks keep to the limits of a person who types them', () => {
  for (const { name, remark } of listCatalogue()) {
    for (const text of [name.cn, name.en]) expect(lengthOf(text), text).toBeLessThanOrEqual(20)
    for (const text of [remark.cn, remark.en]) expect(lengthOf(text), text).toBeLessThanOrEqual(10)
  }
})

test('profiles differ, and each declares the fields that a console needs', () => {
  const all = [...profiles, demoTank, reeferTruck]
  expect(profiles).toHaveLength(12)
  expect(new Set(all.map((profile) => profile.id)).size).toBe(all.length)
  expect(new Set(profiles.map((profile) => profile.machineType)).size).toBe(12)
  expect(profiles.filter((profile) => profile.speaks === 'plain-json')).toHaveLength(3)
  expect(profiles.filter((profile) => profile.presence === 'away')).toHaveLength(1)
  expect(profiles.filter((profile) => profile.presence === 'flapping')).toHaveLength(1)
  for (const profile of all) {
    expect(findProfile(profile.id)).toBe(profile)
    expect(
      profile.tags.filter((tag) => tag.keyTag),
      profile.id,
    ).toHaveLength(1)
    expect(new Set(profile.tags.map((tag) => tag.name)).size, profile.id).toBe(profile.tags.length)
    expect(new Set(profile.tags.map((tag) => tag.type)).size, profile.id).toBeGreaterThanOrEqual(3)
    expect(profile.faults.length * profile.alarms.length, profile.id).toBeGreaterThan(0)
    for (const tag of profile.tags) {
      expect(tag.group, tag.name).not.toContain('/')
      if (tag.writable && tag.type !== 'bool')
        expect([typeof tag.min, typeof tag.max]).toEqual(['number', 'number'])
    }
  }
  // Set-points of the demo machine are numbers and switches, no free text.
  expect(demoTank.tags.filter((tag) => tag.writable && tag.type === 'string')).toEqual([])
})
