require "net/smtp"

module Shop
  class Mailer
    attr_reader :sender, :sent

    def initialize(sender, host: "localhost")
      @sender = sender
      @host = host
      @sent = []
    end

    def deliver_receipt(customer, order)
      body = receipt_body(order)
      message = "To: #{customer.email}\nSubject: Your order #{order.number}\n\n#{body}"
      Net::SMTP.start(@host) { |smtp| smtp.send_message(message, sender, customer.email) }
      @sent << order.number
    end

    def receipt_body(order)
      lines = order.lines.map { |line| "#{line.count} x #{line.name}" }
      lines.join("\n") + "\nTotal: #{order.total}"
    end
  end
end
