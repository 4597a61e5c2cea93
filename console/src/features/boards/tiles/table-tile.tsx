import type { BoardTag } from '@busbar/contract'
import { emptyMark, formatClock, formatExact } from '../../../shared/i18n/index.ts'
import { TagValueText } from '../../../shared/ui/data/tag-value-text.tsx'
import { type FoundMachine, type FoundTag, useData } from '../board-data.ts'
import { useBoardsText } from '../boards-text.ts'
import { MissingNote } from './missing-note.tsx'
import css from './tile.module.css'
import { useTagNow } from './use-tag.ts'

/** Variables in rows, each with its value and the time of it. */
export function TableTile({ tags, label }: { tags: readonly BoardTag[]; label: string }) {
  const data = useData()
  const t = useBoardsText().tile
  const found = tags.map((ref) => data.tag(ref))
  const machines = new Set(found.flatMap((one) => (typeof one === 'string' ? [] : one.machine.id)))
  const several = machines.size > 1
  return (
    <section
      className={css.scroll}
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls
      tabIndex={0}
    >
      <table className={css.table}>
        <thead>
          <tr>
            {several && <th scope="col">{t.columns.device}</th>}
            <th scope="col">{t.columns.name}</th>
            <th scope="col" className={css.right}>
              {t.columns.value}
            </th>
            <th scope="col" className={css.right}>
              {t.columns.time}
            </th>
          </tr>
        </thead>
        <tbody>
          {found.map((one, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the same variable may be shown twice
            <tr key={index}>
              {typeof one === 'string' ? (
                <td colSpan={several ? 4 : 3}>
                  <MissingNote why={one} isSmall />
                </td>
              ) : (
                <Cells {...one} several={several} />
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

function Cells({ tag, machine, several }: { tag: FoundTag; machine: FoundMachine; several: boolean }) {
  const now = useTagNow(tag)
  return (
    <>
      {several && (
        <td className="cut" title={machine.name}>
          {machine.name}
        </td>
      )}
      <td className="cut" title={tag.name}>
        {tag.name}
      </td>
      <td className={css.right}>
        <TagValueText value={now?.value} tag={tag} quality={now?.quality ?? 'good'} />
      </td>
      <td className={css.time} title={now && formatExact(now.time)}>
        {now ? formatClock(now.time) : emptyMark}
      </td>
    </>
  )
}
