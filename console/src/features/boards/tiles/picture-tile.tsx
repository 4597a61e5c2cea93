import type { Tile } from '@busbar/contract'
import { useMachineTypes } from '../../../entities/machine/machine-icon.tsx'
import { MachinePicture } from '../../../entities/machine/machine-picture.tsx'
import { StateGlyph } from '../../../shared/ui/data/state-glyph.tsx'
import { TagValueText } from '../../../shared/ui/data/tag-value-text.tsx'
import { type FoundTag, useData } from '../board-data.ts'
import { MissingNote } from './missing-note.tsx'
import css from './tile.module.css'
import { useTagNow } from './use-tag.ts'

/** The picture of a device with its state and some values beside it. */
export function PictureTile({ tile }: { tile: Extract<Tile, { type: 'picture' }> }) {
  const data = useData()
  const types = useMachineTypes()
  const machine = data.machine(tile.machine)
  if (typeof machine === 'string') return <MissingNote why={machine} />
  return (
    <div className={css.pictured}>
      <div className={css.picture}>
        <MachinePicture look={types.look(machine)} photo={machine.photo} size="page" />
        <StateGlyph state={machine.online ? 'online' : 'offline'} />
      </div>
      {tile.tags.length > 0 && (
        <dl className={css.facts}>
          {tile.tags.map((ref, index) => {
            const found = data.tag(ref)
            return (
              // biome-ignore lint/suspicious/noArrayIndexKey: the same variable may be shown twice
              <div key={index}>
                {typeof found === 'string' ? (
                  <dd>
                    <MissingNote why={found} isSmall />
                  </dd>
                ) : (
                  <Fact tag={found.tag} />
                )}
              </div>
            )
          })}
        </dl>
      )}
    </div>
  )
}

function Fact({ tag }: { tag: FoundTag }) {
  const now = useTagNow(tag)
  return (
    <>
      <dt className="cut" title={tag.name}>
        {tag.name}
      </dt>
      <dd>
        <TagValueText value={now?.value} tag={tag} quality={now?.quality ?? 'good'} />
      </dd>
    </>
  )
}
