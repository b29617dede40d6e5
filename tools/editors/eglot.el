;;; Waits for the first diagnostics of the file that is open, and writes them to the file ANSWER.  -*- lexical-binding: t -*-
(require 'package)
(package-initialize)
;; CONFIGURATION
(require 'json)
(require 'flymake)

(defun answer-if-told ()
  (with-current-buffer "train.py"
    (let ((found (mapcar (lambda (d) (format "%d: %s" (line-number-at-pos (flymake-diagnostic-beg d))
                                             (flymake-diagnostic-text d)))
                         (flymake-diagnostics))))
      (when found
        (let ((file (getenv "ANSWER")))
          (with-temp-file (concat file ".part") (insert (json-encode (vconcat found))))
          (rename-file (concat file ".part") file))
        (let ((kill-emacs-hook nil) (confirm-kill-processes nil)) (kill-emacs))))))

(run-with-timer 1 0.5 #'answer-if-told)
