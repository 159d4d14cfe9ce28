use std::iter::Peekable;
use std::str::Chars;

#[derive(Debug, PartialEq)]
pub enum Token {
    Number(f64),
    Name(String),
    Symbol(char),
}

pub struct Lexer<'a> {
    chars: Peekable<Chars<'a>>,
}

impl<'a> Lexer<'a> {
    pub fn from_text(text: &'a str) -> Self {
        Lexer { chars: text.chars().peekable() }
    }

    fn take_while<F: Fn(char) -> bool>(&mut self, accept: F) -> String {
        let mut taken = String::new();
        while let Some(&next) = self.chars.peek() {
            if !accept(next) {
                break;
            }
            taken.push(next);
            self.chars.next();
        }
        taken
    }

    pub fn next_token(&mut self) -> Option<Token> {
        self.take_while(char::is_whitespace);
        let first = *self.chars.peek()?;
        if first.is_ascii_digit() {
            let digits = self.take_while(|c| c.is_ascii_digit() || c == '.');
            return digits.parse().ok().map(Token::Number);
        }
        if first.is_alphabetic() {
            return Some(Token::Name(self.take_while(char::is_alphanumeric)));
        }
        self.chars.next().map(Token::Symbol)
    }
}
