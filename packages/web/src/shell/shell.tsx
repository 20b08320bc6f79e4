import { Outlet } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { isPaletteKey } from '../parts/keys.ts'
import { Navigation } from './navigation.tsx'
import { Palette } from './palette.tsx'
import { SessionEnded } from './session-ended.tsx'
import { Shortcuts } from './shortcuts.tsx'
import { TopBar } from './top-bar.tsx'

export function Shell() {
  const [isMenuOpen, setMenuOpen] = useState(false)
  const [isHelpOpen, setHelpOpen] = useState(false)
  const [isPaletteOpen, setPaletteOpen] = usePaletteKey()
  return (
    <>
      <a className="skip" href="#main">
        Skip to content
      </a>
      <div className="app">
        <Navigation
          isOpen={isMenuOpen}
          onGo={() => setMenuOpen(false)}
          onHelp={() => setHelpOpen(true)}
          onPalette={() => setPaletteOpen(true)}
        />
        <div className="min-w-0">
          <TopBar
            isMenuOpen={isMenuOpen}
            onMenu={() => setMenuOpen(!isMenuOpen)}
            onPalette={() => setPaletteOpen(true)}
          />
          <Outlet />
        </div>
      </div>
      <Shortcuts isOpen={isHelpOpen} onOpen={() => setHelpOpen(true)} onClose={() => setHelpOpen(false)} />
      {isPaletteOpen && <Palette onClose={() => setPaletteOpen(false)} onHelp={() => setHelpOpen(true)} />}
      <SessionEnded />
    </>
  )
}

/** Works inside a text field too, because this shortcut types no text. */
function usePaletteKey() {
  const [isOpen, setOpen] = useState(false)
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (!isPaletteKey(event) || document.querySelector('dialog[open]:not(.dialog-palette)')) return
      event.preventDefault()
      setOpen((isIt) => !isIt)
    }
    addEventListener('keydown', listen)
    return () => removeEventListener('keydown', listen)
  }, [])
  return [isOpen, setOpen] as const
}
