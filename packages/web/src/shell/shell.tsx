import { Outlet } from '@tanstack/react-router'
import { useState } from 'react'
import { Navigation } from './navigation.tsx'
import { SessionEnded } from './session-ended.tsx'
import { Shortcuts } from './shortcuts.tsx'
import { TopBar } from './top-bar.tsx'

export function Shell() {
  const [isMenuOpen, setMenuOpen] = useState(false)
  const [isHelpOpen, setHelpOpen] = useState(false)
  return (
    <>
      <a className="skip" href="#main">
        Skip to the content
      </a>
      <div className="app">
        <Navigation isOpen={isMenuOpen} onGo={() => setMenuOpen(false)} onHelp={() => setHelpOpen(true)} />
        <div className="min-w-0">
          <TopBar isMenuOpen={isMenuOpen} onMenu={() => setMenuOpen(!isMenuOpen)} />
          <Outlet />
        </div>
      </div>
      <Shortcuts isOpen={isHelpOpen} onOpen={() => setHelpOpen(true)} onClose={() => setHelpOpen(false)} />
      <SessionEnded />
    </>
  )
}
