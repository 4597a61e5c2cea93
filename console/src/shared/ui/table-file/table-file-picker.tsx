import { type TableEncoding, TableFault, tableEncodings } from '@busbar/contract'
import { useId, useState } from 'react'
import type { TableFileText } from '../../i18n/cn/table-file.ts'
import { formatNumber, getLang } from '../../i18n/index.ts'
import { getZone } from '../../i18n/zone.ts'
import form from '../dialogs/form.module.css'
import { FilePicker } from '../file-picker.tsx'
import { Row, Stack } from '../layout/layout.tsx'
import { Select } from '../select/select.tsx'
import { readTableFile, type TableFile } from './read-table-file.ts'
import css from './table-file.module.css'
import { useTableFileText } from './table-file-text.ts'

/** Rows and columns of the preview. */
const rowsShown = 5
const columnsShown = 24
/** No encoding takes more bytes for a character. */
const bytesOfCharacter = 4

interface TableFilePickerProps {
  label: string
  /** The most characters that the call accepts. */
  charactersMax: number
  disabled?: boolean
  /** A file that can be sent; undefined while none is chosen, or none that can be read. */
  onRead: (file: TableFile | undefined) => void
}

interface Chosen {
  readonly name: string
  readonly bytes: Uint8Array
  readonly file?: TableFile
  readonly encoding?: TableEncoding | undefined
  readonly problem?: (t: TableFileText) => string
  /** The problem is one of the encoding: another may read the file. */
  readonly isMisread?: boolean
}

/**
 * Chooses a file with a table, and shows its first lines before anything happens: a person sees what the platform will
 * read, and can say in which encoding the file is (rules/console.md: files that are imported).
 */
export function TableFilePicker({ label, charactersMax, disabled = false, onRead }: TableFilePickerProps) {
  const t = useTableFileText()
  const [chosen, setChosen] = useState<Chosen>()

  function read(name: string, bytes: Uint8Array, encoding?: TableEncoding): void {
    const next = { name, bytes, encoding, ...tryReading(bytes, charactersMax, encoding) }
    setChosen(next)
    onRead(next.problem ? undefined : next.file)
  }

  async function choose(file: File): Promise<void> {
    // Of a larger file the beginning is enough to refuse it.
    const beginning = file.slice(0, charactersMax * bytesOfCharacter + 1)
    read(file.name, new Uint8Array(await beginning.arrayBuffer()))
  }

  const { file, problem } = chosen ?? {}
  const encoding = file?.encoding ?? chosen?.encoding
  return (
    <Stack gap={8} shrinks>
      <FilePicker
        label={label}
        action={label}
        accept=".csv,.txt,.tsv,text/csv,text/plain,text/tab-separated-values"
        disabled={disabled}
        chosen={chosen?.name}
        onChoose={(one) => void choose(one)}
      />
      {problem && (
        <p role="alert" className={form.error}>
          {problem(t)}
        </p>
      )}
      {chosen && (file || chosen.isMisread) && (
        <Row gap="8 16" align="end" justify="between" wraps>
          <Select
            label={t.encoding}
            placeholder={t.choose}
            size="small"
            disabled={disabled}
            choices={tableEncodings.map((value) => ({ value, label: t.encodings[value] }))}
            value={encoding}
            onChange={(value) => read(chosen.name, chosen.bytes, value)}
          />
          {file && (
            <p className={form.hint}>
              {t.rows(formatNumber(file.lines.length), t.delimiters[file.delimiter])}
            </p>
          )}
        </Row>
      )}
      {file && <Preview file={file} t={t} />}
    </Stack>
  )
}

function tryReading(
  bytes: Uint8Array,
  charactersMax: number,
  encoding: TableEncoding | undefined,
): Pick<Chosen, 'file' | 'problem' | 'isMisread'> {
  if (bytes.length > charactersMax * bytesOfCharacter) return { problem: (t) => t.tooLarge }
  try {
    const file = readTableFile(bytes, { lang: getLang(), zone: getZone() }, encoding)
    if (file.text.length > charactersMax) return { problem: (t) => t.tooLarge }
    return file.lines.length === 0 ? { problem: (t) => t.empty } : { file }
  } catch (error) {
    if (!(error instanceof TableFault)) return { problem: (t) => t.unread }
    const { kind, line, column } = error
    const place = [formatNumber(line), formatNumber(column)] as const
    if (kind === 'workbook') return { problem: (t) => t.faults.workbook }
    if (kind === 'quote') return { problem: (t) => t.faults.quote(...place) }
    return { problem: (t) => t.faults.text(...place), isMisread: true }
  }
}

function Preview({ file, t }: { file: TableFile; t: TableFileText }) {
  const id = useId()
  const rows = file.lines.slice(0, rowsShown)
  const width = Math.min(columnsShown, Math.max(...rows.map(({ cells }) => cells.length)))
  const places = Array.from({ length: width }, (_, place) => place)
  const [heading, ...others] = rows
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a wide table is scrolled by keyboard */}
      <section className={css.rows} aria-labelledby={id} tabIndex={0}>
        <table>
          <caption id={id} className="sr-only">
            {t.preview}
          </caption>
          <thead>
            <tr>
              {places.map((place) => (
                <th key={place} scope="col">
                  {heading?.cells[place]}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {others.map(({ line, cells }) => (
              <tr key={line}>
                {places.map((place) => (
                  <td key={place}>{cells[place]}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      <p className={form.hint}>{t.hint}</p>
    </>
  )
}
