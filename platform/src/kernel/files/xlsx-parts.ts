import type { Column } from './cell.ts'

const declaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const relations = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const packages = 'http://schemas.openxmlformats.org/package/2006'

/** The limit of a sheet's name in every spreadsheet. */
const nameLengthMax = 31
const nameForbidden = /[[\]:*?/\\]/g

/** The places of the cell formats in `stylesOf`. */
const plainStyle = 0
export const headStyle = 1
const timeStyle = 2
const dateStyle = 3
/** Text that looks like a formula: it stays text also when a person edits its cell. */
export const quotedStyle = 4
/** Text that stays text when a person edits its cell, also where it is digits only. */
const textStyle = 5
const digitsStyle = 6
/** Numbers with more digits than these are shown with as many. */
const digitsMax = 15

/** The format of a column's cells. */
export function styleOf({ kind, digits }: Column): number {
  if (kind === 'time') return timeStyle
  if (kind === 'date') return dateStyle
  if (kind === 'text') return textStyle
  return digits === undefined
    ? plainStyle
    : digitsStyle + Math.min(Math.max(Math.trunc(digits), 0), digitsMax)
}

/** Formats of cells. */
export function stylesXml(): string {
  const numbers = Array.from({ length: digitsMax + 1 }, (_, digits) => digits)
  const formats = [
    '<numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd\\ hh:mm:ss.000"/>',
    '<numFmt numFmtId="165" formatCode="yyyy\\-mm\\-dd"/>',
    ...numbers.map((digits) => `<numFmt numFmtId="${166 + digits}" formatCode="${digitsFormat(digits)}"/>`),
  ]
  const format = (number: number, more = '') =>
    `<xf numFmtId="${number}" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"${more}/>`
  const cells = [
    format(0),
    '<xf numFmtId="0" fontId="1" fillId="0" borderId="0" xfId="0" applyFont="1"/>',
    format(164),
    format(165),
    format(49, ' quotePrefix="1"'),
    format(49),
    ...numbers.map((digits) => format(166 + digits)),
  ]
  const font = (more: string) => `<font>${more}<sz val="11"/><name val="Calibri"/></font>`
  return (
    `${declaration}<styleSheet xmlns="${main}">` +
    `<numFmts count="${formats.length}">${formats.join('')}</numFmts>` +
    `<fonts count="2">${font('')}${font('<b/>')}</fonts>` +
    '<fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills>' +
    '<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>' +
    '<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>' +
    `<cellXfs count="${cells.length}">${cells.join('')}</cellXfs>` +
    '<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>'
  )
}

const digitsFormat = (digits: number): string => (digits === 0 ? '0' : `0.${'0'.repeat(digits)}`)

/** The list of sheets. */
export const workbookXml = (names: readonly string[]): string =>
  `${declaration}<workbook xmlns="${main}" xmlns:r="${relations}"><sheets>` +
  names
    .map((name, place) => `<sheet name="${escapeXml(name)}" sheetId="${place + 1}" r:id="rId${place + 1}"/>`)
    .join('') +
  '</sheets></workbook>'

export const workbookRelationsXml = (sheets: number): string =>
  `${declaration}<Relationships xmlns="${packages}/relationships">` +
  Array.from(
    { length: sheets },
    (_, place) =>
      `<Relationship Id="rId${place + 1}" Type="${relations}/worksheet" Target="worksheets/sheet${place + 1}.xml"/>`,
  ).join('') +
  `<Relationship Id="rId${sheets + 1}" Type="${relations}/styles" Target="styles.xml"/></Relationships>`

export const packageRelationsXml = (): string =>
  `${declaration}<Relationships xmlns="${packages}/relationships">` +
  `<Relationship Id="rId1" Type="${relations}/officeDocument" Target="xl/workbook.xml"/></Relationships>`

export function contentTypesXml(sheets: number): string {
  const type = 'application/vnd.openxmlformats-officedocument.spreadsheetml'
  const part = (path: string, kind: string) =>
    `<Override PartName="${path}" ContentType="${type}.${kind}+xml"/>`
  return (
    `${declaration}<Types xmlns="${packages}/content-types">` +
    '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>' +
    '<Default Extension="xml" ContentType="application/xml"/>' +
    part('/xl/workbook.xml', 'sheet.main') +
    part('/xl/styles.xml', 'styles') +
    Array.from({ length: sheets }, (_, place) =>
      part(`/xl/worksheets/sheet${place + 1}.xml`, 'worksheet'),
    ).join('') +
    '</Types>'
  )
}

/** The beginning of a sheet: its first row stays in sight. */
export const sheetHead = (columns: readonly Column[]): string =>
  `${declaration}<worksheet xmlns="${main}"><sheetViews><sheetView workbookViewId="0">` +
  '<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews>' +
  `<cols>${columns.map(columnXml).join('')}</cols><sheetData>`

export const sheetTail = '</sheetData></worksheet>'

const widthOf = ({ kind, width, header }: Column): number => {
  if (width !== undefined) return width
  if (kind === 'time') return 25
  return kind === 'date' ? 12 : Math.min(Math.max(lengthOf(header) + 2, 12), 60)
}

/** Chinese signs are twice as wide. */
const lengthOf = (text: string): number => {
  let length = 0
  for (const sign of text) length += (sign.codePointAt(0) ?? 0) > 0x2e7f ? 2 : 1
  return length
}

const columnXml = (column: Column, place: number): string =>
  `<col min="${place + 1}" max="${place + 1}" width="${widthOf(column)}" customWidth="1"/>`

/** Names for sheets as spreadsheets take them, none twice: `pump`, `pump (2)`. */
export class SheetNames {
  readonly #taken = new Set<string>()
  readonly list: string[] = []

  /** Takes the next free name for a wish. */
  add(wish: string): string {
    // A quote at an end would be taken for one around the name.
    const cleaned = cleanText(wish)
      .replaceAll(nameForbidden, ' ')
      .replaceAll(/^['\s]+|['\s]+$/g, '')
    const base = cleaned === '' || cleaned.toLowerCase() === 'history' ? `_${cleaned}` : cleaned
    for (let number = 1; ; number++) {
      const end = number === 1 ? '' : ` (${number})`
      const name =
        base
          .slice(0, nameLengthMax - end.length)
          .toWellFormed()
          .trimEnd() + end
      if (this.#taken.has(name.toLowerCase())) continue
      this.#taken.add(name.toLowerCase())
      this.list.push(name)
      return name
    }
  }
}

/** `A`, `B` … `Z`, `AA`. */
export function columnName(place: number): string {
  const before = Math.floor(place / 26)
  return (before > 0 ? columnName(before - 1) : '') + String.fromCharCode(65 + (place % 26))
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: XML allows none of them, escaped or not.
const forbidden = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/g
const special = /[&<>"\r]|_(?=x[0-9A-Fa-f]{4}_)/
const codeStart = /_(?=x[0-9A-Fa-f]{4}_)/g

/** Text without the characters that XML cannot hold. */
const cleanText = (text: string): string => text.toWellFormed().replaceAll(forbidden, '\uFFFD')

/** A text for XML; lines end as XML has them. An underscore that would begin a code of spreadsheets is written as such a code itself. */
export function escapeXml(text: string): string {
  const clean = cleanText(text)
  if (!special.test(clean)) return clean
  return clean
    .replaceAll(codeStart, '_x005F_')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll(/\r\n?/g, '\n')
}
