import { createHash } from 'node:crypto'
import {
  type AnswerOf,
  type brands,
  type operator as contract,
  findSharedCode,
  type Lang,
  readCodePattern,
} from '@busbar/contract'
import type { TypeRow } from './machine-types-store.ts'
import { presentPicture } from './pictures.ts'

type Map = Extract<AnswerOf<typeof brands.listIcons>, { version: string }>

const anyMachine = {
  type: 'machine',
  pattern: '',
  ...presentPicture('machine'),
  name: { cn: '设备', en: 'Device' },
}

/** The map as everybody gets it; its version changes with anything in it. */
export function presentMap(rows: readonly TypeRow[]): Map {
  const items = rows.map(({ type, pattern, picture, name }) => ({
    type,
    pattern,
    ...presentPicture(picture),
    name,
  }))
  const content = { default: anyMachine, items }
  const version = createHash('sha256').update(JSON.stringify(content)).digest('base64url')
  return { version, ...content }
}

/** The types as operators see them; each with those before it that take codes of its pattern. */
export function presentTypes(rows: readonly TypeRow[]): contract.MachineTypeRow[] {
  const read = rows.map((row) => {
    const pattern = readCodePattern(row.pattern)
    return { row, pattern: 'wrong' in pattern ? { spans: [], text: '' } : pattern }
  })
  return read.map(({ row, pattern }, index) => ({
    ...row,
    picture: row.picture as contract.MachineTypeRow['picture'],
    ...presentPicture(row.picture),
    losesTo: read.slice(0, index).flatMap((before) => {
      const code = findSharedCode(before.pattern, pattern)
      return code === undefined ? [] : [{ id: before.row.id, name: before.row.name, code }]
    }),
  }))
}

/** The order of a list, by place, or as the reader's language sorts its names. */
export function sortTypes(
  rows: readonly contract.MachineTypeRow[],
  sort: (typeof contract.machineTypeOrders)[number],
  lang: Lang,
): contract.MachineTypeRow[] {
  const { compare } = new Intl.Collator(lang === 'cn' ? 'zh-Hans-CN' : 'en')
  if (sort === 'name') return rows.toSorted((a, b) => compare(a.name[lang], b.name[lang]))
  return sort === 'type' ? rows.toSorted((a, b) => compare(a.type, b.type)) : [...rows]
}
