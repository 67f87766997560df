package main

import (
	"strings"
	"testing"
)

func TestTheStoresThatThereAre(t *testing.T) {
	for url, want := range map[string]string{
		"embedded":                "here",
		"redis://u:hunter2@h:1/2": "redis://h:1/2",
		"redis+sentinel://u:hunter2@h:1,i:2/main":  "redis+sentinel://h:1,i:2/main",
		"rediss+cluster://u:hunter2@h:1,i:2,j":     "rediss+cluster://h:1,i:2,j",
		"mysql://u:hunter2@h":                      "",
		"redis+sentinel://u:hunter2@h:1,i:2":       "",
		"redis://u:hunter2@h:1,i:2":                "",
		"redis+cluster://u:hunter2@h:1?nonsense=1": "",
		"": "",
	} {
		s := storage{store: url, data: "here"}
		err := s.check()
		if (err == nil) != (want != "") || err == nil && s.String() != want {
			t.Errorf("%s: %q, %v, want %q", url, s, err, want)
		}
		if err != nil && strings.Contains(err.Error(), "hunter2") {
			t.Errorf("the password is told: %v", err)
		}
		if s.shared() != (url != "embedded") {
			t.Errorf("%s: shared is %v", url, s.shared())
		}
	}
}
