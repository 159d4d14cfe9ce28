package app

import (
	"encoding/json"
	"net/http"
	"sync"
)

type Session struct {
	ID   string
	User string
}

type SessionStore struct {
	mu       sync.Mutex
	sessions map[string]Session
}

func NewSessionStore() *SessionStore {
	return &SessionStore{sessions: make(map[string]Session)}
}

func (s *SessionStore) Lookup(id string) (Session, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	session, ok := s.sessions[id]
	return session, ok
}

func (s *SessionStore) Remember(session Session) {
	s.mu.Lock()
	s.sessions[session.ID] = session
	s.mu.Unlock()
}

func handleSession(store *SessionStore) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		session, ok := store.Lookup(r.URL.Query().Get("id"))
		if !ok {
			http.Error(w, "no such session", http.StatusNotFound)
			return
		}
		json.NewEncoder(w).Encode(session)
	}
}
