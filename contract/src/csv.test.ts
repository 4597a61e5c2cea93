import { expect, test } from 'vitest'
import {
  type CsvForm,
  decodeTable,
  delimiters,
  formatCsv,
  legacyEncodingOf,
  openCsv,
  parseCsv,
  type TableEncoding,
  TableFault,
  tableEncodings,
} from './index.ts'

const german = { lang: 'en', zone: 'Europe/Berlin' } as const
const chinese = { lang: 'cn', zone: 'Asia/Shanghai' } as const

const bytes = (text: string) => Uint8Array.from(Buffer.from(text))
const hex = (text: string) => Uint8Array.from(Buffer.from(text, 'hex'))
const faultOf = (read: () => unknown) => {
  try {
    read()
  } catch (error) {
    if (error instanceof TableFault) return { kind: error.kind, line: error.line, column: error.column }
    throw error
  }
}

test('a text that a spreadsheet would take for a formula stays text', () => {
  for (const sign of ['=', '+', '-', '@', '\t', '\r', '\n', '＝', '＋', '－', '＠'])
    expect(formatCsv([[`${sign}1`]])).toContain(`'${sign}1`)
})

test('numbers follow the decimal sign, and cells with separators are quoted', () => {
  const cells = [-1.5, { exact: '-1.5' }, 'a;b', 'say "x"', null]
  expect(formatCsv([cells])).toBe('\uFEFF-1.5,-1.5,"a;b","say ""x""",\r\n')
  expect(formatCsv([cells], { delimiter: ';', decimal: ',' })).toBe('\uFEFF-1,5;-1.5;"a;b";"say ""x""";\r\n')
  expect(formatCsv([cells], { delimiter: ',', decimal: ',' })).toBe(
    '\uFEFF"-1,5",-1.5,"a;b","say ""x""",\r\n',
  )
})

test('a secret that begins with a minus came out of its file as another one', () => {
  const secret = '-Ab3_x'
  expect(
    formatCsv([
      ['code', 'secret'],
      [{ exact: '9111111111111111111' }, { exact: secret }],
    ]),
  ).toContain('\r\n9111111111111111111,-Ab3_x\r\n')
})

test('a spreadsheet rounded the 19 digits of a code in a list', () => {
  const code = '0911111111111111111'
  const text = formatCsv([
    ['machine code', 'text'],
    [{ code }, `="${code}"`],
  ])
  expect(text).toContain(`"=""${code}""",`)
  expect(parseCsv(text)[1]?.cells).toEqual([code, `="${code}"`])
  expect(formatCsv([[{ code: '=1+1' }]])).toContain("'=1+1")
})

test('a file of 1.3 million commas, lines or quotes is read to its limit and no further', () => {
  const limits = { rows: 3, cells: 4, characters: 5 }
  const read = (text: string) => {
    const lines: unknown[] = []
    const fault = faultOf(() => {
      for (const line of openCsv(text).rows(limits)) lines.push(line?.cells.join())
    })
    return { lines, limit: fault?.kind, line: fault?.line }
  }
  const many = 1_300_000
  expect(read(`a\n${','.repeat(many)}`)).toEqual({ lines: ['a'], limit: 'cells', line: 2 })
  expect(read('a\n'.repeat(many))).toEqual({ lines: ['a', 'a', 'a'], limit: 'rows', line: 4 })
  expect(read('\n'.repeat(many))).toEqual({
    lines: [undefined, undefined, undefined],
    limit: 'rows',
    line: 4,
  })
  expect(read(`"a\nb"\n${'"'.repeat(many)}`)).toEqual({ lines: ['a\nb'], limit: 'characters', line: 3 })
  expect(read(`a\n${'x'.repeat(many)}`)).toEqual({ lines: ['a'], limit: 'characters', line: 2 })
  expect(read('1,2,3,4\n12345\nc')).toEqual({ lines: ['1,2,3,4', '12345', 'c'] })
})

const latin = Uint8Array.from(
  Buffer.from('group;tag;name;unit;max\r\n;temp;Kühlwasser Rücklauf;°C;99,5\r\n', 'latin1'),
)
const cellsOf = (text: string) => [...openCsv(text).rows()].map((row) => row?.cells)

test('a file of a German Excel was read as Chinese, its umlauts as other letters without a word', () => {
  const { text, encoding } = decodeTable(latin, german)
  expect(encoding).toBe('windows-1252')
  expect(cellsOf(text)).toEqual([
    ['group', 'tag', 'name', 'unit', 'max'],
    ['', 'temp', 'Kühlwasser Rücklauf', '°C', '99,5'],
  ])
  // The euro sign and quotes are where Latin-1 has nothing.
  expect(decodeTable(hex('80849a'), german).text).toBe('€„š')
})

test('a file of a Chinese Excel is read as it was written', () => {
  expect(decodeTable(hex('cbaeb1c32c310d0a32'), chinese)).toEqual({
    text: '水泵,1\r\n2',
    encoding: 'gb18030',
  })
  expect(decodeTable(bytes('\ufeff水泵'), german)).toEqual({ text: '水泵', encoding: 'utf-8' })
})

test('the Unicode text of Excel was lines with NULs', () => {
  const text = 'group\ttag\tname\r\n\ttemp\tKühlwasser\r\n'
  const little = Buffer.concat([hex('fffe'), Buffer.from(text, 'utf16le')])
  const big = Buffer.concat([hex('fffe'), Buffer.from(text, 'utf16le')]).swap16()
  for (const file of [little, big]) {
    const read = decodeTable(file, german).text
    expect(openCsv(read).delimiter).toBe('\t')
    expect(cellsOf(read)).toEqual([
      ['group', 'tag', 'name'],
      ['', 'temp', 'Kühlwasser'],
    ])
  }
})

test.each([
  ['en', 'Asia/Shanghai', 'gb18030'],
  ['cn', 'Asia/Shanghai', 'gb18030'],
  ['cn', 'UTC', 'gb18030'],
  ['cn', 'Europe/Berlin', 'windows-1252'],
  ['en', 'UTC', 'windows-1252'],
  ['en', 'Europe/Berlin', 'windows-1252'],
] as const)('a spreadsheet of %s in %s writes %s', (lang, zone, encoding) => {
  expect(legacyEncodingOf({ lang, zone })).toBe(encoding)
})

test('bytes that cannot be decoded are named by line and character, and never replaced', () => {
  const damaged = Buffer.concat([bytes('tag,name\r\nt,Kühl'), hex('fc'), bytes('wässer\r\nu,Öl')])
  expect(faultOf(() => decodeTable(damaged, german))).toEqual({ kind: 'text', line: 2, column: 7 })
  expect(faultOf(() => decodeTable(damaged, chinese))).toEqual({ kind: 'text', line: 2, column: 7 })
  const cut = bytes('tag,name\nt,水').subarray(0, -1)
  expect(faultOf(() => decodeTable(cut, chinese, 'utf-8'))).toEqual({ kind: 'text', line: 2, column: 3 })
  expect(faultOf(() => decodeTable(hex('610a628162'), german, 'windows-1252'))).toEqual({
    kind: 'text',
    line: 2,
    column: 2,
  })
  expect(faultOf(() => decodeTable(hex('cbae0acbae2cff'), chinese))).toEqual({
    kind: 'text',
    line: 2,
    column: 3,
  })
  expect(faultOf(() => decodeTable(hex('fffe610061'), german))).toEqual({ kind: 'text', line: 1, column: 2 })
  expect(faultOf(() => openCsv('a\nb\0'))).toEqual({ kind: 'text', line: 2, column: 2 })
  expect(faultOf(() => decodeTable(hex('504b030414000600'), german))?.kind).toBe('workbook')
})

test('a quote that nothing ends was the rest of the file in one cell', () => {
  expect(faultOf(() => cellsOf('tag,name\r\na,"Pump\r\nb,Valve\r\n'))).toEqual({
    kind: 'quote',
    line: 2,
    column: 3,
  })
})

test.each([
  ['tag;name;min\nx;"a;b";1,5', ';'],
  ['tag\tname, unit\nx\ty', '\t'],
  ['"a;b;c",tag\n1,2', ','],
  ['\n\ntag;name\n', ';'],
  ['sep=;\r\ntag;na,m,e', ';'],
  ['tag', ','],
])('the delimiter of %j is %j', (text, delimiter) => {
  expect(openCsv(text).delimiter).toBe(delimiter)
})

test('lines are counted as an editor does, after every kind of line end', () => {
  expect(parseCsv('a\r\n\r\n"b\r\nc"\rd\n\ne')).toMatchObject([
    { line: 1, cells: ['a'] },
    { line: 3, cells: ['b\r\nc'] },
    { line: 5, cells: ['d'] },
    { line: 7, cells: ['e'] },
  ])
  expect(parseCsv('sep=;\na;b')).toEqual([{ line: 2, cells: ['a', 'b'] }])
})

/** Pieces that once broke a reader or a writer, in encodings that all of them have, and others. */
const pieces = [
  'a',
  '0',
  "'",
  '"',
  ',',
  ';',
  '\t',
  '\r',
  '\n',
  '\r\n',
  '=',
  '-',
  '+1',
  '@',
  ' ',
  'sep=;',
  '.5',
  '\\',
]
const letters: Partial<Record<TableEncoding, readonly string[]>> = {
  'windows-1252': ['ü', '°', '€', 'ß'],
  gb18030: ['水', '温度', '℃', '。'],
}
const unicode = ['ü', '水', '＝', '－', '😀', 'é', 'e\u0301', '\u2028', '𠮷']

function encode(text: string, encoding: TableEncoding): Uint8Array {
  const body = text.replace('\uFEFF', '')
  if (encoding === 'utf-8') return bytes(text)
  if (encoding.startsWith('utf-16')) {
    const little = Buffer.from(`\uFEFF${body}`, 'utf16le')
    return encoding === 'utf-16le' ? little : little.swap16()
  }
  const known = new Map(
    [...(letters[encoding] ?? [])].flatMap((word) => [...word]).map((one) => [one, codes[one]]),
  )
  return Uint8Array.from(
    [...body].flatMap((one) => [...hex(known.get(one) ?? Buffer.from(one).toString('hex'))]),
  )
}
const codes: Record<string, string> = {
  ...{ ü: 'fc', '°': 'b0', '€': '80', ß: 'df' },
  ...{ 水: 'cbae', 温: 'cec2', 度: 'b6c8', '℃': 'a1e6', '。': 'a1a3' },
}

test('every table is read back as it was written, with every delimiter, in every encoding', () => {
  let seed = 7
  const draw = (below: number) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31
    return Math.floor((seed / 2 ** 31) * below)
  }
  const forms = delimiters.flatMap((delimiter): CsvForm[] => [
    { delimiter, decimal: '.' },
    { delimiter, decimal: ',' },
  ])
  for (let round = 0; round < 300; round++)
    for (const encoding of tableEncodings) {
      const words = [...pieces, ...(letters[encoding] ?? unicode)]
      const textOf = () => Array.from({ length: draw(6) }, () => words[draw(words.length)]).join('')
      const width = 2 + draw(4)
      const heading = Array.from({ length: width }, (_, place) => `column${place}`)
      const rows = Array.from({ length: 1 + draw(5) }, () => [
        'x',
        ...Array.from({ length: width - 1 }, textOf),
      ])
      const form = forms[draw(forms.length)] as CsvForm
      const written = encode(formatCsv([heading, ...rows], form), encoding)
      const reader = encoding === 'gb18030' ? chinese : german
      const { text } = decodeTable(written, reader, encoding)
      expect(parseCsv(text).map(({ cells }) => cells)).toEqual([heading, ...rows])
      expect(openCsv(text).delimiter).toBe(form.delimiter)
    }
})
