import { useEffect } from 'react'
import { useNoteChange } from '../kit/dialog-box.ts'

/** Has the dialog around ask before it discards what was entered; native fields in it are watched without this. */
export function useUnsavedChanges(isDirty: boolean): void {
  const noteChange = useNoteChange()
  useEffect(() => {
    if (isDirty) noteChange()
  }, [isDirty, noteChange])
}
