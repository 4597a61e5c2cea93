import { type ReactNode, useState } from 'react'
import { useText } from '../../i18n/index.ts'
import { IconButton } from '../button.tsx'
import { Popover } from '../popover.tsx'

/** The tallest menu of a row in pixels; where there is less room below, it opens upwards. */
const menuHeightMax = 260

/** Everything else that can be done to a person. */
export function RowMenu({ name, children }: { name: string; children: (close: () => void) => ReactNode }) {
  const t = useText().access
  const [opensUp, setOpensUp] = useState(false)
  return (
    <Popover
      label={t.more(name)}
      align="end"
      side={opensUp ? 'above' : 'below'}
      trigger={({ onClick, ...props }) => (
        <IconButton
          icon="more"
          label={t.more(name)}
          size="small"
          {...props}
          onClick={(event) => {
            const { bottom } = event.currentTarget.getBoundingClientRect()
            setOpensUp(window.innerHeight - bottom < menuHeightMax)
            onClick()
          }}
        />
      )}
    >
      {children}
    </Popover>
  )
}
